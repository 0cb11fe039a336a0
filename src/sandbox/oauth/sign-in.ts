import { createHash, randomBytes } from "node:crypto";
import { empty, json, type Reply, text } from "../http/reply.ts";
import { type Area, type Call, page, route } from "../http/route.ts";
import type { GrantRecord, OAuthTokenRecord } from "../state/records/accounts.ts";

/**
 * A browser sign-in for public clients (RFC 8252): the browser asks for the password, a page for the permission, and a
 * redirect brings a code, for which tokens are sent.
 */
export const signInPages: Area = [
  route(page("GET /login/oauth/authorize"), {}, authorize),
  route(page("POST /login/oauth/grant"), {}, grant),
  route(page("POST /login/oauth/access_token"), {}, (call) => {
    const form = formOf(call);
    const found = form.get("grant_type") === "refresh_token" ? byRefreshToken(call, form) : byCode(call, form);
    if (typeof found !== "string") return granted(call, found);
    return json(400, { error: "unauthorized_client", error_description: found });
  }),
];

/** The applications that Gitea creates at its first start: public ones, for programs on the machine of the user. */
const applications: Readonly<Record<string, string>> = {
  "a4792ccc-144e-407e-86c9-5e7d8d9c3269": "git-credential-oauth",
  "e90ee53c-94e2-48ac-9358-a874fb9e0662": "Git Credential Manager",
  "d57cb8c4-630c-4168-8324-ec79935e18d4": "tea",
};

const formOf = ({ rawBody }: Call) => new URLSearchParams(rawBody.toString("utf8"));

/** The parameters of a request for authorization (RFC 6749, section 4.1.1, RFC 7636) that the page passes on. */
const parameters = ["client_id", "redirect_uri", "state", "scope", "code_challenge"] as const;
type Asked = Readonly<Record<(typeof parameters)[number], string>>;

const askedIn = (given: URLSearchParams) =>
  Object.fromEntries(parameters.map((name) => [name, given.get(name) ?? ""])) as Asked;

/** The page for a request whose answer cannot be a redirect, if it is one. */
function refused({ currentUser }: Call, { client_id, redirect_uri }: Asked): Reply | undefined {
  if (currentUser === undefined) {
    const realm = "tongs sandbox, which printed users and passwords";
    return text(401, "Unauthorized\n", "text/plain", { "WWW-Authenticate": `Basic realm="${realm}"` });
  }
  if (applications[client_id] === undefined) return html(400, "Client ID not registered");
  // The loopback address with any port, and no path.
  const isOwn = /^https?:\/\/127\.0\.0\.1(:\d+)?\/?$/i.test(redirect_uri);
  return isOwn ? undefined : html(400, "Unregistered Redirect URI");
}

function authorize(call: Call): Reply {
  const { query } = call;
  const asked = askedIn(query);
  const isPkce = query.get("code_challenge_method") === "S256" && asked.code_challenge !== "";
  const problem = refused(call, asked);
  if (problem !== undefined) return problem;
  if (query.get("response_type") !== "code" || !isPkce)
    return redirect(asked, { error: "invalid_request", error_description: "PKCE is required for public clients" });
  const scope = asked.scope === "" ? "" : ` (${escaped(asked.scope)})`;
  const fields = Object.entries(asked).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const question = `<p>Let ${applications[asked.client_id]} access your account${scope}?</p>`;
  const buttons = `<button name="granted" value="true">Authorize</button><button name="granted" value="false">Cancel</button>`;
  return html(200, `${question}<form method="post" action="/login/oauth/grant">${fields.join("")}${buttons}</form>`);
}

function grant(call: Call): Reply {
  const form = formOf(call);
  const asked = askedIn(form);
  const problem = refused(call, asked);
  if (problem !== undefined) return problem;
  if (form.get("granted") !== "true")
    return redirect(asked, { error: "access_denied", error_description: "the request is denied" });
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge, scope } = asked;
  const userId = call.currentUser?.id ?? 0;
  const grants = call.table("oauthGrants");
  const known = grants.find((one) => one.userId === userId && one.clientId === clientId);
  if (known !== undefined && known.scope !== scope)
    return redirect(asked, { error: "server_error", error_description: "a grant exists with different scope" });
  const { id: grantId } = known ?? grants.add({ userId, clientId, scope, counter: 1 });
  const code = `gta_${randomBytes(20).toString("hex")}`;
  call.table("oauthCodes").put({ code, grantId, redirectUri, challenge });
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

function redirect({ redirect_uri, state }: Asked, answer: Readonly<Record<string, string>>): Reply {
  return empty(303, { Location: `${redirect_uri}?${new URLSearchParams({ ...answer, state })}` });
}

function html(status: number, content: string): Reply {
  const page = `<!doctype html><meta charset="utf-8"><title>tongs sandbox</title>${content}\n`;
  return text(status, page, "text/html; charset=utf-8");
}

const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
