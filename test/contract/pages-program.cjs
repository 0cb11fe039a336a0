// A value of BROWSER for a real server: signs in on its pages and grants the access, as somebody with a browser does.
// Arguments: the account as base64url JSON, and the address to open.
const [account, address] = process.argv.slice(2);
const { login, password } = JSON.parse(Buffer.from(account, "base64url").toString("utf8"));
const cookies = new Map();

/** Opens a page of the server, with its cookies; ends at the address that tongs listens on. */
async function open(url, form) {
  for (let hop = 0, next = { url, form }; hop < 20; hop += 1) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const sent = next.form === undefined ? {} : { method: "POST", body: new URLSearchParams(next.form) };
    const response = await fetch(next.url, { ...sent, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined) cookies.set(name, value);
    }
    const to = response.headers.get("location");
    if (to === null) return { url: next.url, text: await response.text() };
    next = { url: new URL(to, next.url).href };
  }
  throw new Error("too many redirects");
}

/** The form of a page that is sent to an address, with its hidden fields. */
function formOf({ url, text }, action) {
  for (const [form, target] of text.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>[\s\S]*?<\/form>/g)) {
    if (!target.includes(action)) continue;
    const fields = {};
    for (const [input] of form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
      const value = /value="([^"]*)"/.exec(input)?.[1] ?? "";
      fields[/name="([^"]*)"/.exec(input)?.[1] ?? ""] = value.replaceAll("&#43;", "+").replaceAll("&amp;", "&");
    }
    return { url: new URL(target, url).href, fields };
  }
  throw new Error(`no form for ${action} on ${url}`);
}

async function visit() {
  const start = await open(address);
  const signIn = formOf(start, "/user/login");
  const page = await open(signIn.url, { ...signIn.fields, user_name: login, password });
  const grant = formOf(page, "/login/oauth/grant");
  await open(grant.url, { ...grant.fields, granted: "true" });
}

visit().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
