// Stands for a browser: sends the password to a sandbox that asks for it, answers its page, and follows the redirect.
// Arguments: settings as JSON, and the page.
const { writeFileSync } = require("node:fs");

const [settings, page] = process.argv.slice(2);
const { login, password, deed, end } = JSON.parse(Buffer.from(settings, "base64url").toString());
const { origin } = new URL(page);
const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

async function visit() {
  if (deed === "nothing") return;
  const first = await fetch(page);
  if (first.status !== 401 || !first.headers.get("www-authenticate").startsWith("Basic ")) throw new Error("not asked");
  const headers = { authorization: `Basic ${btoa(`${login}:${password}`)}` };
  const asked = await fetch(page, { headers, redirect: "manual" });
  const fields = [...(await asked.text()).matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  const granted = deed === "deny" ? "false" : "true";
  const answer = form({ ...Object.fromEntries(fields), granted });
  const answered = await fetch(`${origin}/login/oauth/grant`, { ...answer, headers });
  const target = answered.headers.get("location");
  if (deed === "other state first") await fetch(target.replace(/state=[^&]*/, "state=of-another-sign-in"));
  if (deed === "icon first") await fetch(new URL("/favicon.ico", target));
  writeFileSync(end, target);
  await fetch(target).catch(() => undefined);
}

visit().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
