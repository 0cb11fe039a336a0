import type { IncomingHttpHeaders } from "node:http";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { TokenRecord, UserRecord } from "../state/records/accounts.ts";
import type { Store } from "../state/store.ts";
import { Refusal } from "./reply.ts";
import type { FullCall } from "./route.ts";

/** The user of a request and how it was authenticated. */
export interface Caller {
  readonly currentUser: UserRecord | undefined;
  readonly token: TokenRecord | undefined;
  readonly by: FullCall["by"];
}

const nobody: Caller = { currentUser: undefined, token: undefined, by: "nobody" };
const wrong = () => new Refusal(401, "invalid username, password or token");

/** The warning header for a token in the query. */
export const queryTokenWarning =
  "token and access_token API authentication is deprecated and will be removed in gitea 1.23. " +
  "Please use AuthorizationHeaderToken instead. Existing queries will continue to work but without authorization.";

/** The token in the query, which takes precedence over headers (deprecated, but still accepted). */
export function queryToken(query: URLSearchParams): string | undefined {
  return query.get("token") ?? query.get("access_token") ?? undefined;
}

/**
 * Authenticates a request. Invalid credentials are 401 even where none are required; a malformed header counts as none.
 * The state of the account is not checked here (docs/server-differences.md, "Tokens and signing in").
 */
export function authenticate(
  { store, clock }: Pick<Site, "store" | "clock">,
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
): Caller {
  const tokenOf: TokenLookup = (secret) => findToken(store, secret) ?? accessTokenOf(store, secret, clock());
  const fromQuery = queryToken(query);
  const token = fromQuery === undefined ? undefined : tokenOf(fromQuery);
  if (token !== undefined) return { ...token, by: "token" };
  const [word = "", value = ""] = splitOnce((headers.authorization ?? "").trim());
  const fromHeader = word.toLowerCase() === "basic" ? byBasic(store, value, tokenOf) : byToken(word, value, tokenOf);
  if (fromQuery !== undefined && fromHeader.by !== "password") throw wrong();
  return fromHeader;
}

function splitOnce(text: string): readonly string[] {
  const [, word = "", rest = ""] = /^(\S+)\s+(.+)$/.exec(text) ?? [];
  return [word, rest];
}

/** Finds the user of a token. */
type TokenLookup = (secret: string) => { readonly currentUser: UserRecord; readonly token: TokenRecord } | undefined;

function byToken(word: string, value: string, tokenOf: TokenLookup): Caller {
  if (!/^(token|bearer)$/i.test(word)) return nobody;
  const known = tokenOf(value);
  if (known === undefined) throw wrong();
  return { ...known, by: "token" };
}

function byBasic(store: Store, value: string, tokenOf: TokenLookup): Caller {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return nobody;
  const [name, password] = [text.slice(0, colon), text.slice(colon + 1)];
  const asToken = password === "" || password === "x-oauth-basic" ? name : password;
  const token = tokenOf(asToken);
  if (token !== undefined) return { ...token, by: "basic token" };
  const user = userNamed(store, name) ?? findByEmail(store, name);
  if (user === undefined || user.kind !== "person" || user.password === "" || user.password !== password) throw wrong();
  if (user.prohibit_login) throw wrong();
  return { currentUser: user, token: undefined, by: "password" };
}

function findByEmail(store: Store, mail: string): UserRecord | undefined {
  const wanted = mail.toLowerCase();
  return store.table("users").find((user) => user.kind === "person" && user.email.toLowerCase() === wanted);
}

/** The user and the rights of an OAuth access token; undefined if it is not valid. */
function accessTokenOf(store: Store, secret: string, now: number): ReturnType<TokenLookup> {
  const token = store.table("oauthTokens").get(secret);
  if (token === undefined || token.kind !== "access" || token.expires <= now) return undefined;
  const grant = store.table("oauthGrants").get(token.grantId);
  const currentUser = grant && store.table("users").get(grant.userId);
  if (grant === undefined || currentUser === undefined) return undefined;
  const ofApi = grant.scope.split(" ").filter((scope) => /^(read|write):|^(all|public-only)$/.test(scope));
  // Without a scope of the API, everything is allowed.
  const scopes = ofApi.length === 0 ? ["all"] : ofApi;
  return { currentUser, token: { id: 0, userId: currentUser.id, name: grant.clientId, secret, scopes, created: "" } };
}

function findToken(store: Store, secret: string): ReturnType<TokenLookup> {
  const token = store.table("tokens").find((one) => one.secret === secret);
  const currentUser = token && store.table("users").get(token.userId);
  return token && currentUser && { currentUser, token };
}

/**
 * The acting user: the caller or, for an administrator, the user named by `sudo`. Throws 403 for a disabled account.
 */
export function applySudo(store: Store, caller: Caller, query: URLSearchParams, header: string): Caller {
  const { currentUser } = caller;
  if (currentUser !== undefined) checkAccount(currentUser);
  const name = query.get("sudo") || header;
  if (name === "") return caller;
  if (!currentUser?.is_admin) throw new Refusal(403, "Only administrators allowed to sudo.", "bare");
  const other = userNamed(store, name);
  if (other === undefined) throw new Refusal(404, "not found");
  return { ...caller, currentUser: other };
}

function checkAccount(user: UserRecord): void {
  if (!user.active || user.prohibit_login) {
    const text = "This account is prohibited from signing in, please contact your site administrator.";
    throw new Refusal(403, text, "bare");
  }
}
