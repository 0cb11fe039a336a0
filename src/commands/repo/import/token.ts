import type { BaseContext } from "../../../app/context.ts";
import { readSecretFile } from "../../../app/input.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { DeniedError } from "../../../http/errors.ts";

/** How a token for the source is passed. */
export const passToken = "Set TONGS_SOURCE_TOKEN, or pass --auth-token-file.";

/** The token for the source: of a file, or the environment. Throws a usage error if it is not one. */
export async function sourceToken(
  file: string | undefined,
  system: BaseContext["system"],
): Promise<string | undefined> {
  const token = (await readSecretFile("--auth-token-file", file, system)) ?? system.env["TONGS_SOURCE_TOKEN"];
  const trimmed = token?.trim();
  if (!trimmed) return undefined;
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new UsageError(
      `The token ${file === undefined ? "in TONGS_SOURCE_TOKEN" : "for the source"} has a character that no token has`,
    );
  return trimmed;
}

/** What a request to the source answers; a refusal says how to pass another token, as it is that of no profile. */
export async function fromSource<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof DeniedError)) throw error;
    const { code, message, status, method, path, request: id } = error;
    const scopes =
      "On Gitea and Forgejo, it needs the scopes read:user, read:repository, read:organization and read:issue.";
    const hint =
      status === 401
        ? `The token for the source was not accepted. ${passToken}`
        : `The token for the source is not allowed to do that. ${passToken}\n${scopes}`;
    throw new Failure(code, message, { hint, status, method, path, request: id, cause: error });
  }
}
