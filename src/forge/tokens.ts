import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors/not-found-error.ts";
import { UnknownOperationError } from "../http/errors/unknown-operation-error.ts";
import { path } from "../http/path.ts";
import type { AccessToken, CreateAccessTokenOption, PresentedToken } from "./records/token.ts";

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
