import type { IncomingHttpHeaders } from "node:http";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { TokenRecord, UserRecord } from "../state/records/accounts.ts";
import { found, Refusal, refuse } from "./reply.ts";

/** The user of a request and how it was authenticated. */
export interface Caller {
  readonly currentUser: UserRecord | undefined;
  readonly token: TokenRecord | undefined;
  readonly by: "nobody" | "token" | "password" | "basic token";
}

/**
 * Authenticates a request. Invalid credentials are 401 even where none are required; a malformed header counts as none.
 * The state of the account is not checked here (docs/server-differences.md, "Tokens and signing in").
 */
export function authenticate({ table, clock }: Pick<Site, "table" | "clock">, authorization = ""): Caller {
  const wrong = () => refuse(401, "invalid username, password or token");
  const [, word = "", value = ""] = /^(\S+)\s+(.+)$/.exec(authorization.trim()) ?? [];
  if (/^(token|bearer)$/i.test(word)) return { ...(tokenOf({ table, clock }, value) ?? wrong()), by: "token" };
  const basic = /^basic$/i.test(word) ? Buffer.from(value, "base64").toString("utf8") : "";
  const [, name = "", password = ""] = /^([^:]*):(.*)$/s.exec(basic) ?? [];
  if (!basic.includes(":")) return { currentUser: undefined, token: undefined, by: "nobody" };
  const token = tokenOf({ table, clock }, password === "" || password === "x-oauth-basic" ? name : password);
  if (token !== undefined) return { ...token, by: "basic token" };
  const lower = name.toLowerCase();
  const people = table("users").filter(({ kind }) => kind === "person");
  const isThis = (user: UserRecord) => [user.name, user.email].some((one) => one.toLowerCase() === lower);
  const user = people.find((one) => one.name.toLowerCase() === lower) ?? people.find(isThis);
  if (user === undefined || user.password === "" || user.password !== password || user.prohibit_login) return wrong();
  return { currentUser: user, token: undefined, by: "password" };
}

/** The user of a token, or of an access token of OAuth; undefined if it is not valid. */
function tokenOf({ table, clock }: Pick<Site, "table" | "clock">, secret: string) {
  const token = table("tokens").find((one) => one.secret === secret) ?? accessToken({ table, clock }, secret);
  const currentUser = token && table("users").get(token.userId);
  return token && currentUser && { currentUser, token };
}

function accessToken({ table, clock }: Pick<Site, "table" | "clock">, secret: string): TokenRecord | undefined {
  const token = table("oauthTokens").get(secret);
  const grant =
    token?.kind === "access" && token.expires > clock() ? table("oauthGrants").get(token.grantId) : undefined;
  if (grant === undefined) return undefined;
  const ofApi = grant.scope.split(" ").filter((scope) => /^(read|write):|^(all|public-only)$/.test(scope));
  // Without a scope of the API, everything is allowed.
  const scopes = ofApi.length === 0 ? ["all"] : ofApi;
  return { id: 0, userId: grant.userId, name: grant.clientId, secret, scopes, created: "" };
}

/**
 * The acting user: the one who is authenticated or, for an administrator, the user named by `sudo`. Throws 403 for a
 * disabled account, and for one whose password must be changed first.
 */
export function callerOf(site: Site, headers: IncomingHttpHeaders, query: URLSearchParams): Caller {
  const caller = authenticate(site, headers.authorization);
  const { currentUser } = caller;
  if (currentUser !== undefined && (!currentUser.active || currentUser.prohibit_login)) {
    const text = "This account is prohibited from signing in, please contact your site administrator.";
    throw new Refusal(403, text, "bare");
  }
  const name = query.get("sudo") || String(headers["sudo"] ?? "");
  if (name !== "" && !currentUser?.is_admin) throw new Refusal(403, "Only administrators allowed to sudo.", "bare");
  if (name !== "") return { ...caller, currentUser: found(userNamed(site.store, name)) };
  if (currentUser?.must_change_password)
    throw new Refusal(403, `You must change your password. Change it at: ${site.root}//user/change_password`, "bare");
  return caller;
}
