import { createHash, randomBytes } from "node:crypto";
import { loginPage, loginSend, oauthAuthorize, oauthGrant, oauthToken } from "../http/other-operations.ts";
import { empty, json, type Reply, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import type { AskedRecord, GrantRecord, OAuthTokenRecord } from "../state/records/accounts.ts";

const cookieName = "i_like_gitea";

/** A browser sign-in for public clients (RFC 8252): sign in, ask for the permission, redirect with a code, send tokens. */
export const signInPages: Area = {
  routes: [
    route(loginPage, {}, (call) => html(200, signInForm(call.query.get("redirect_to") ?? "/"))),
    route(loginSend, {}, signIn),
    route(oauthAuthorize, { writes: true }, authorize),
    route(oauthGrant, {}, grant),
    route(oauthToken, {}, (call) => {
      const form = formOf(call);
      const found = form.get("grant_type") === "refresh_token" ? byRefreshToken(call, form) : byCode(call, form);
      if (typeof found !== "string") return granted(call, found);
      return json(400, { error: "unauthorized_client", error_description: found });
    }),
  ],
};

/** The applications that Gitea creates at its first start: public ones, for programs on the machine of the user. */
const applications: Readonly<Record<string, string>> = {
  "a4792ccc-144e-407e-86c9-5e7d8d9c3269": "git-credential-oauth",
  "e90ee53c-94e2-48ac-9358-a874fb9e0662": "Git Credential Manager",
  "d57cb8c4-630c-4168-8324-ec79935e18d4": "tea",
};

function signIn(call: Call): Reply {
  const form = formOf(call);
  const user = userNamed(call.site.store, form.get("user_name") ?? "");
  const target = form.get("redirect_to") ?? "/";
  if (user?.kind !== "person" || user.password !== form.get("password") || user.prohibit_login)
    return html(200, signInForm(target, "Username or password is incorrect."));
  const id = randomBytes(16).toString("hex");
  call.table("webSessions").put({ id, userId: user.id });
  // Only to pages of this server.
  const location = /^\/(?![/\\])/.test(target) ? target : "/";
  return empty(303, { Location: location, "Set-Cookie": `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax` });
}

/** Errors that concern the redirect are pages, the others are redirects. */
function authorize(call: Call): Reply {
  const { query, requestPath } = call;
  const session = sessionOf(call);
  if (session === undefined)
    return empty(303, { Location: `/user/login?redirect_to=${encodeURIComponent(`${requestPath}?${query}`)}` });
  const value = (name: string) => query.get(name) ?? "";
  const asked: AskedRecord = {
    clientId: value("client_id"),
    redirectUri: value("redirect_uri"),
    state: value("state"),
    scope: value("scope"),
    challenge: value("code_challenge"),
    method: value("code_challenge_method"),
  };
  const name = applications[asked.clientId];
  if (name === undefined) return html(400, "Client ID not registered");
  // The loopback address with any port, and no path.
  if (!/^https?:\/\/127\.0\.0\.1(:\d+)?\/?$/i.test(asked.redirectUri)) return html(400, "Unregistered Redirect URI");
  if (value("response_type") !== "code" || asked.method !== "S256" || asked.challenge === "")
    return redirect(asked, { error: "invalid_request", error_description: "PKCE is required for public clients" });
  call.table("webSessions").put({ ...session, asked });
  const scope = asked.scope === "" ? "" : ` (${escaped(asked.scope)})`;
  const fields = { client_id: asked.clientId, redirect_uri: asked.redirectUri, state: asked.state };
  return html(
    200,
    `<p>Let ${name} access your account${scope}?</p><form method="post" action="/login/oauth/grant">${hidden(fields)}` +
      `<button name="granted" value="true">Authorize</button><button name="granted" value="false">Cancel</button></form>`,
  );
}

function grant(call: Call): Reply {
  const form = formOf(call);
  const session = sessionOf(call);
  const asked = session?.asked;
  const fields = [asked?.clientId, asked?.redirectUri, asked?.state];
  const isSame = ["client_id", "redirect_uri", "state"].every((name, at) => form.get(name) === fields[at]);
  if (session === undefined || asked === undefined || !isSame) return text(400, "Bad Request\n");
  if (form.get("granted") !== "true")
    return redirect(asked, { error: "access_denied", error_description: "the request is denied" });
  const { userId } = session;
  const { clientId, scope, redirectUri, challenge, method } = asked;
  const grants = call.table("oauthGrants");
  const known = grants.find((one) => one.userId === userId && one.clientId === clientId);
  if (known !== undefined && known.scope !== scope)
    return redirect(asked, { error: "server_error", error_description: "a grant exists with different scope" });
  const { id: grantId } = known ?? grants.add({ userId, clientId, scope, counter: 1 });
  const code = `gta_${randomBytes(20).toString("hex")}`;
  call.table("oauthCodes").put({ code, grantId, redirectUri, challenge, method });
  return redirect(asked, { code });
}

/** The grant of a code, which is used up, or why there is none. A wrong attempt does not use it up. */
function byCode({ table }: Call, form: URLSearchParams): GrantRecord | string {
  const code = table("oauthCodes").get(form.get("code") ?? "");
  const known = code && table("oauthGrants").get(code.grantId);
  if (known === undefined || known.clientId !== form.get("client_id")) return "client is not authorized";
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (challenge !== code?.challenge) return "failed PKCE code challenge";
  if (form.get("redirect_uri") !== code.redirectUri) return "unexpected redirect URI";
  table("oauthCodes").delete(code.code);
  return known;
}

/** The grant of a refresh token, or why there is none. On Forgejo, only the last one is valid. */
function byRefreshToken({ table, site }: Call, form: URLSearchParams): GrantRecord | string {
  const token = table("oauthTokens").get(form.get("refresh_token") ?? "");
  const known = token && table("oauthGrants").get(token.grantId);
  if (known === undefined || token?.kind !== "refresh" || token.expires <= site.clock())
    return "unable to parse refresh token";
  const isUsed = site.release.product === "forgejo" && token.counter !== known.counter;
  return isUsed ? "token was already used" : known;
}

/** A new access token and refresh token of a grant. */
function granted({ table, site }: Call, before: GrantRecord): Reply {
  const { id: grantId, counter } = table("oauthGrants").put({ ...before, counter: before.counter + 1 });
  const issue = (kind: OAuthTokenRecord["kind"], seconds: number) => {
    const secret = randomBytes(24).toString("base64url");
    return table("oauthTokens").put({ secret, kind, grantId, counter, expires: site.clock() + seconds * 1000 }).secret;
  };
  const [access_token, refresh_token] = [issue("access", 3600), issue("refresh", 730 * 3600)];
  return json(200, { access_token, token_type: "bearer", expires_in: 3600, refresh_token });
}

function sessionOf({ table, headers }: Call) {
  return table("webSessions").get(new RegExp(`\\b${cookieName}=([0-9a-f]+)`).exec(headers.cookie ?? "")?.[1] ?? "");
}

const formOf = ({ rawBody }: Call) => new URLSearchParams(rawBody.toString("utf8"));

function redirect({ redirectUri, state }: AskedRecord, parameters: Readonly<Record<string, string>>): Reply {
  return empty(303, { Location: `${redirectUri}?${new URLSearchParams({ ...parameters, state })}` });
}

function html(status: number, content: string): Reply {
  const page = `<!doctype html><meta charset="utf-8"><title>tongs sandbox</title>${content}\n`;
  return text(status, page, "text/html; charset=utf-8");
}

function signInForm(target: string, problem = ""): string {
  return (
    `<p>${problem}</p><form method="post" action="/user/login">` +
    `<input name="user_name" placeholder="Username"><input name="password" type="password" placeholder="Password">` +
    `${hidden({ redirect_to: target })}<button>Sign in</button></form><p>tongs sandbox printed users and passwords.</p>`
  );
}

function hidden(fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return inputs.join("");
}

const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
