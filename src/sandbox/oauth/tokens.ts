import { createHash, randomBytes } from "node:crypto";
import { oauthToken } from "../http/other-operations.ts";
import { json, type Reply } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import type { GrantRecord, OAuthTokenRecord } from "../state/records/accounts.ts";

/** The token endpoint: codes and refresh tokens for access tokens. */
export const oauthTokens: Area = {
  routes: [route(oauthToken, {}, (call) => answer(call))],
};

/** How long tokens are valid, in seconds. */
const lifetimes = { access: 3600, refresh: 730 * 3600 } as const;

function answer(call: Call): Reply {
  const form = parametersOf(call);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return byCode(call, form);
    case "refresh_token":
      return byRefreshToken(call, form);
    default: {
      const text = "Only refresh_token or authorization_code grant type is supported";
      return refusal("unsupported_grant_type", text);
    }
  }
}

function byCode(call: Call, form: URLSearchParams): Reply {
  const { store } = call.site;
  const clientId = form.get("client_id") ?? "";
  const redirectUri = form.get("redirect_uri") ?? "";
  if (applicationOf(clientId) === undefined) {
    return refusal("invalid_client", `cannot load client with client id: '${clientId}'`);
  }
  if (redirectUri !== "" && !isOwnRedirect(redirectUri)) {
    return refusal("unauthorized_client", "unexpected redirect URI");
  }
  const code = store.table("oauthCodes").get(form.get("code") ?? "");
  const grant = code && store.table("oauthGrants").get(code.grantId);
  if (code === undefined || grant === undefined) return refusal("unauthorized_client", "client is not authorized");
  // A wrong attempt does not use the code up.
  if (challengeOf(form.get("code_verifier") ?? "", code.method) !== code.challenge) {
    return refusal("unauthorized_client", "failed PKCE code challenge");
  }
  if (redirectUri !== code.redirectUri) {
    return refusal("invalid_grant", "redirect_uri differs from the original authorization request");
  }
  if (grant.clientId !== clientId) return refusal("invalid_grant", "invalid grant");
  store.table("oauthCodes").delete(code.code);
  return granted(call, grant);
}

function byRefreshToken(call: Call, form: URLSearchParams): Reply {
  const { store, invalidatesRefreshTokens, clock } = call.site;
  const clientId = form.get("client_id") ?? "";
  if (applicationOf(clientId) === undefined) {
    return refusal("invalid_client", `cannot load client with client id: "${clientId}"`);
  }
  const token = store.table("oauthTokens").get(form.get("refresh_token") ?? "");
  if (token === undefined || token.expires <= clock()) {
    return refusal("unauthorized_client", "unable to parse refresh token");
  }
  const grant = store.table("oauthGrants").get(token.grantId);
  if (grant === undefined) return refusal("invalid_grant", "grant does not exist");
  const isUsed = invalidatesRefreshTokens && (token.kind === "access" || token.counter !== grant.counter);
  return isUsed ? refusal("unauthorized_client", "token was already used") : granted(call, grant);
}

/** A new access token and refresh token of a grant. */
function granted({ site }: Call, before: GrantRecord): Reply {
  const { store } = site;
  const grant = store.table("oauthGrants").put({ ...before, counter: before.counter + 1 });
  const issue = (kind: OAuthTokenRecord["kind"]) => {
    const secret = randomBytes(24).toString("base64url");
    const expires = site.clock() + lifetimes[kind] * 1000;
    return store.table("oauthTokens").put({ secret, kind, grantId: grant.id, counter: grant.counter, expires });
  };
  return json(200, {
    access_token: issue("access").secret,
    token_type: "bearer",
    expires_in: lifetimes.access,
    refresh_token: issue("refresh").secret,
  });
}

/** The parameters of a form, or of a JSON object. */
function parametersOf({ rawBody, headers }: Call): URLSearchParams {
  const body = rawBody.toString("utf8");
  if (!headers["content-type"]?.startsWith("application/json")) return new URLSearchParams(body);
  return new URLSearchParams(JSON.parse(body) as Record<string, string>);
}

function challengeOf(verifier: string, method: string): string {
  return method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url");
}

function refusal(error: string, text: string): Reply {
  return json(400, { error, error_description: text });
}

/** An application that people can sign in to programs with. */
export interface Application {
  readonly clientId: string;
  readonly name: string;
}

/** The applications that Gitea creates at its first start: public ones, for programs on the machine of the user. */
const applications: readonly Application[] = [
  { clientId: "a4792ccc-144e-407e-86c9-5e7d8d9c3269", name: "git-credential-oauth" },
  { clientId: "e90ee53c-94e2-48ac-9358-a874fb9e0662", name: "Git Credential Manager" },
  { clientId: "d57cb8c4-630c-4168-8324-ec79935e18d4", name: "tea" },
];

/** The application with an ID. */
export function applicationOf(clientId: string): Application | undefined {
  return applications.find((one) => one.clientId === clientId);
}

/** Whether the applications may redirect there: the loopback address with any port, and no path. */
export function isOwnRedirect(uri: string): boolean {
  return /^https?:\/\/127\.0\.0\.1(:\d+)?\/?$/i.test(uri);
}
