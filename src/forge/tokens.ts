import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import type { CreateAccessTokenOption } from "./generated/operations.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";

/**
 * An access token. Forgejo omits the times, and 8.0 and older the scopes of a new token
 * (docs/server-differences.md, "Tokens and signing in").
 */
export const accessToken = serverRecord("an access token", {
  id: integer,
  name: string,
  /** The secret; only in the response to its creation. */
  sha1: optional(string),
  token_last_eight: optional(string),
  scopes: nullable(list(string)),
  created_at: optional(time),
  last_used_at: optional(time),
  /** Forgejo 15.0: the repositories that it is limited to. */
  repositories: optional(nullable(list(serverRecord("a repository", { full_name: string })))),
});
export type AccessToken = Infer<typeof accessToken>;

/** The token of the request (`GET /token`). */
export const presentedToken = serverRecord(
  "an access token",
  { scopes: list(string), user: serverRecord("a user", { login: string }, { id: integer }) },
  { id: integer, name: string, created_at: time, last_used_at: time },
);

/** Name and password, with the two-factor code if the account has one. */
export interface Login {
  readonly name: string;
  readonly password: string;
  readonly otp?: string;
}

export const tokenGet = operation("GET", "/token", { answers: presentedToken });

/** Deletes the token of this request. */
export const tokenRevoke = operation("DELETE", "/token", { undo: cannot.secret });

/** A server that does not know `repositories` would create a token for all of them. */
const strict = ["repositories"];

/** As the next two, requires name and password; a token is not accepted. */
export const tokenList = operation("GET", "/users/{username}/tokens", { answers: pagesOf(accessToken) });

/** A token for all is not what was asked for: it is deleted at once (`tongs token create`). */
const applied = {
  except: { scopes: "stored without those that others include", repositories: "compared by `tongs token create`" },
} as const;

export const tokenCreate = operation("POST", "/users/{username}/tokens", {
  answers: accessToken,
  strict,
  undo: cannot.secret,
  applied,
});

export const tokenDelete = operation("DELETE", "/users/{username}/tokens/{token}", { undo: cannot.secret });

/** As the next two, accepts the token of an administrator. */
export const userTokenList = operation("GET", "/admin/users/{username}/tokens", { answers: pagesOf(accessToken) });

export const userTokenCreate = operation("POST", "/admin/users/{username}/tokens", {
  answers: accessToken,
  strict,
  undo: cannot.secret,
  applied,
});

export const userTokenDelete = operation("DELETE", "/admin/users/{username}/tokens/{token}", { undo: cannot.secret });

/** The operations on the tokens of one user. */
export interface Tokens {
  /** Absent where the token of an administrator is enough. */
  readonly login?: Login;
  list(): Listing<AccessToken>;
  create(body: CreateAccessTokenOption): Promise<AccessToken>;
  /** By ID; `login` has another two-factor code, if the account has them: each is accepted only once. */
  delete(id: number, login?: Login): Promise<undefined>;
}

/** Those of a user, by the user's password or that of an administrator. */
export function tokensByPassword(http: Http, username: string, login: Login): Tokens {
  const headers = (given: Login) => ({ headers: basicAuth(given) });
  return {
    login,
    list: () => call(http, tokenList, { username }, undefined, headers(login)),
    create: (body) => call(http, tokenCreate, { username }, body, headers(login)),
    delete: (id, given = login) => call(http, tokenDelete, { username, token: id }, undefined, headers(given)),
  };
}

/** Those of a user, by the token of an administrator (Forgejo 16.0). */
export function tokensAsAdmin(http: Http, username: string): Tokens {
  return {
    list: () => call(http, userTokenList, { username }),
    create: (body) => call(http, userTokenCreate, { username }, body),
    delete: (id) => call(http, userTokenDelete, { username, token: id }),
  };
}

/** The token of this request, or undefined if the server does not have the operation. Needs no scope. */
export function presentedTokenOf(http: Http): Promise<Infer<typeof presentedToken> | undefined> {
  return call(http, tokenGet, {}).catch(undefinedIfMissing);
}

/**
 * Forgejo and Gitea before 1.27 do not have the operation; other kinds of tokens are not found
 * (docs/server-differences.md, "Tokens and signing in").
 */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof UnknownOperationError || error instanceof NotFoundError) return undefined;
  throw error;
}

/** The headers of a request that signs in with name and password. */
export function basicAuth({ name, password, otp }: Login): Record<string, string> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  return { authorization, ...(otp === undefined ? {} : { "x-gitea-otp": otp }) };
}
