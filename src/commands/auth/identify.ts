import { Failure } from "../../failure/failure.ts";
import type { Forge } from "../../forge/index.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { NoAnswerError } from "../../http/no-answer-error.ts";
import { addressText } from "../../profiles/server.ts";

/** Who a token belongs to, and what it may do where the server tells. */
export interface Identity {
  readonly login: string;
  readonly scopes: readonly string[] | undefined;
}

/** Asks the server who the token belongs to: GET /user, then GET /token for its scopes unless they are known. */
export async function identify(forge: Forge, base: URL, scopes?: readonly string[]): Promise<Identity> {
  try {
    const { login } = await forge.users.me();
    return { login, scopes: scopes ?? (await forge.tokens.presented())?.scopes };
  } catch (error) {
    if (!(error instanceof DeniedError) || error.status !== 403 || !error.serverMessage.includes("scope")) {
      throw explained(error, base);
    }
    // GET /user needs a scope that the token may lack; GET /token needs none.
    const presented = await forge.tokens.presented();
    if (presented === undefined) throw explained(error, base);
    return { login: presented.user.login, scopes: presented.scopes };
  }
}

/** The page of a server on which tokens are made by hand. */
export function tokenPage(base: URL): string {
  return `${addressText(base)}/user/settings/applications`;
}

/** The usual errors, in words for somebody who is about to sign in. */
function explained(error: unknown, base: URL): unknown {
  const host = addressText(base);
  const scope = error instanceof DeniedError && error.serverMessage.includes("scope");
  if (error instanceof DeniedError && (error.status === 401 || scope)) {
    const { status, method, path, serverMessage } = error;
    const hint = scope
      ? `Give the token the scope read:user: ${tokenPage(base)}`
      : `Make a token at ${tokenPage(base)}`;
    const message = `${host} did not accept the token${serverMessage === "" ? "" : `: ${serverMessage}`}`;
    return new Failure(error.code, "denied", message, { hint, status, method, path, cause: error });
  }
  if (error instanceof NotFoundError || error instanceof UnknownOperationError) {
    return new Failure("not_found", "notFound", `There is no Gitea or Forgejo at ${host}`, {
      hint: "Name the server's own address with its path prefix, not that of a repository.",
      status: error.status,
      cause: error,
    });
  }
  if (error instanceof NoAnswerError && error.code === "tls") {
    return new Failure("tls", "noAnswer", error.message, {
      hint: `If it has a certificate authority of its own: TONGS_CA=FILE tongs auth login --host ${host}`,
      cause: error,
    });
  }
  return error;
}
