// Stands for a browser: signs in to the pages of a sandbox, answers the page that asks, and follows the redirect.
// Arguments: settings as JSON, and the page.
const { writeFileSync } = require("node:fs");

const [settings, page] = process.argv.slice(2);
const { login, password, deed, end } = JSON.parse(Buffer.from(settings, "base64url").toString());
const { origin } = new URL(page);
const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

async function visit() {
  if (deed === "nothing") return;
  const first = await fetch(page, { redirect: "manual" });
  const toLogin = new URL(first.headers.get("location"), origin);
  const redirect_to = toLogin.searchParams.get("redirect_to");
  const signedIn = await fetch(`${origin}/user/login`, form({ user_name: login, password, redirect_to }));
  const [cookie] = signedIn.headers.get("set-cookie").split(";");
  const asked = await fetch(new URL(signedIn.headers.get("location"), origin), {
    headers: { cookie },
    redirect: "manual",
  });
  const fields = [...(await asked.text()).matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  const granted = deed === "deny" ? "false" : "true";
  const answer = form({ ...Object.fromEntries(fields), granted });
  const answered = await fetch(`${origin}/login/oauth/grant`, { ...answer, headers: { cookie } });
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
