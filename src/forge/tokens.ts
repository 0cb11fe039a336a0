import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { type Infer, integer, list, optional, record, string, time } from "../shape/shape.ts";

/** An access token (api-facts 4.3). Forgejo leaves the times out. */
export const accessToken = record({
  id: integer,
  name: string,
  /** The secret; in the answer to its creation only. */
  sha1: optional(string),
  token_last_eight: string,
  scopes: list(string),
  created_at: optional(time),
  last_used_at: optional(time),
});
export type AccessToken = Infer<typeof accessToken>;

/** The token that a request presents (`GET /token`). */
export const presentedToken = record({
  id: integer,
  name: string,
  scopes: list(string),
  created_at: time,
  last_used_at: time,
  user: record({ id: integer, login: string }),
});
export type PresentedToken = Infer<typeof presentedToken>;

/** What `POST /users/{username}/tokens` takes. */
export interface CreateAccessTokenOption {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** A name and password, with the code of a second factor where the account has one. */
export interface Login {
  readonly name: string;
  readonly password: string;
  readonly otp?: string;
}

/** Access tokens (api-facts 4.3). */
export const tokens = (http: Http) => ({
  /** The presented token, or undefined where the server does not tell. Needs no scope. */
  presented: () => http.get(path`/token`, { answers: json<PresentedToken>(), since: "1.27" }).catch(untold),

  /** Makes a token; only a name and password may, a token may not. */
  create: (login: Login, body: CreateAccessTokenOption) =>
    http.post(path`/users/${login.name}/tokens`, { body, headers: basic(login), answers: json<AccessToken>() }),
});

/** Forgejo and Gitea before 1.27 lack the operation, and other kinds of tokens are not found (api-facts 3.6.19). */
function untold(error: unknown): undefined {
  if (error instanceof UnknownOperationError || error instanceof NotFoundError) return undefined;
  throw error;
}

function basic({ name, password, otp }: Login): Record<string, string> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  return { authorization, ...(otp === undefined ? {} : { "x-gitea-otp": otp }) };
}
