import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";

/**
 * An access token. Forgejo omits the times, and 8.0 and older the scopes of a new token
 * (docs/server-differences.md, "Tokens and signing in").
 */
export const accessToken = serverRecord(
  "an access token",
  {
    id: integer,
    name: string,
    /** The secret; only in the response to its creation. */
    sha1: optional(string),
    token_last_eight: optional(string),
    scopes: nullable(list(string)),
    created_at: optional(time),
    last_used_at: optional(time),
  },
  ["id", "name", "sha1", "token_last_eight", "scopes", "created_at", "last_used_at"],
);
export type AccessToken = Infer<typeof accessToken>;

/** The token of the request (`GET /token`). */
export const presentedToken = serverRecord(
  "an access token",
  {
    id: integer,
    name: string,
    scopes: list(string),
    created_at: time,
    last_used_at: time,
    user: serverRecord("a user", { id: integer, login: string }, ["login"]),
  },
  ["scopes", "user"],
);

/** The body of `POST /users/{username}/tokens`. */
export interface CreateAccessTokenOption {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Name and password, with the two-factor code if the account has one. */
export interface Login {
  readonly name: string;
  readonly password: string;
  readonly otp?: string;
}

/** Access tokens. */
export function tokensApi(http: Http) {
  return {
    /** The token of this request, or undefined if the server does not have the operation. Needs no scope. */
    presented: () => http.get(path`/token`, { answers: json(presentedToken), since: "1.27" }).catch(undefinedIfMissing),

    /** Deletes the token of this request. */
    deletePresented: () => http.delete(path`/token`, { answers: nothing, since: "1.27" }),

    /** The tokens of a user. As the next two, requires name and password; a token is not accepted. */
    list: (login: Login, user = login.name) =>
      http.list(path`/users/${user}/tokens`, { items: accessToken, headers: basic(login), unique: "id" }),

    create: (login: Login, body: CreateAccessTokenOption, user = login.name) =>
      http.post(path`/users/${user}/tokens`, { body, headers: basic(login), answers: json(accessToken) }),

    delete: (login: Login, id: number, user = login.name) =>
      http.delete(path`/users/${user}/tokens/${id}`, { headers: basic(login), answers: nothing }),
  };
}

/**
 * Forgejo and Gitea before 1.27 do not have the operation; other kinds of tokens are not found
 * (docs/server-differences.md, "Tokens and signing in").
 */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof UnknownOperationError || error instanceof NotFoundError) return undefined;
  throw error;
}

function basic({ name, password, otp }: Login): Record<string, string> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  return { authorization, ...(otp === undefined ? {} : { "x-gitea-otp": otp }) };
}
