import type { BaseContext, ServerContext } from "../../app/context.ts";
import { readPassword } from "../../app/read-password.ts";
import { currentUser } from "../../app/shared.ts";
import { type FlagValues, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type Tokens, tokensAsAdmin, tokensByPassword } from "../../forge/tokens.ts";
import { DeniedError, UnknownOperationError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { quoted } from "../../text/words.ts";

/** The flags of all token commands: most servers accept no token for them, only a password. */
export const passwordFlags = {
  user: text("user whose tokens to manage, as an administrator (default: you)", { placeholder: "USER" }),
  passwordStdin: toggle("read your password from stdin", { readsStdin: true, names: "password" }),
  passwordFile: text("read your password from a file", { names: "password", placeholder: "FILE" }),
};

/** The password can come from one source only. */
export const passwordExclusive = [["passwordStdin", "passwordFile"]] as const;

/** Whose tokens a command manages. */
export type Whose = Pick<FlagValues<typeof passwordFlags>, "user">;

/** The flag of the next command, so that it manages the tokens of the same user: ` --user priya`. */
export function sameUser({ user }: Whose): string {
  return user === undefined ? "" : ` --user ${quoted(user)}`;
}

/** The areas that a scope can be for. */
const areas = [..."activitypub admin issue misc notification organization package repository user".split(" ")] as const;

/** All scopes that servers know (docs/server-differences.md, "Tokens and signing in"). */
export const scopes = ["all", "public-only", ...areas.flatMap((area) => [`read:${area}`, `write:${area}`])] as const;

type Context = Pick<BaseContext, "prompt" | "system" | "out"> & ServerContext;

/**
 * Works on the tokens of a user. With `--user`, the token of an administrator is enough where the server has the operations for
 * that; otherwise name and password are required.
 */
export async function withTokens<T>(
  flags: FlagValues<typeof passwordFlags>,
  context: Context,
  work: (tokens: Tokens) => Promise<T>,
): Promise<T> {
  const { user } = flags;
  if (user !== undefined && (await mayUseToken(flags, context))) {
    try {
      return await work(tokensAsAdmin(context.http, user));
    } catch (error) {
      if (!(error instanceof UnknownOperationError)) throw error;
    }
  }
  return withPassword(flags, context, work);
}

/** Whether there is a token to send, and no password was given. */
export async function mayUseToken(
  { passwordStdin, passwordFile }: FlagValues<typeof passwordFlags>,
  { server }: Pick<Context, "server">,
): Promise<boolean> {
  return !passwordStdin && passwordFile === undefined && (await server.token()) !== undefined;
}

/**
 * Asks for the user's password unless a flag gives it. If the server rejects it, prompts once for a two-factor code, because a
 * server does not say which is wrong.
 */
async function withPassword<T>(
  flags: FlagValues<typeof passwordFlags>,
  context: Context,
  work: (tokens: Tokens) => Promise<T>,
): Promise<T> {
  const { http, prompt, server, system, out } = context;
  const given = await readPassword(flags, system);
  const isAnonymous = flags.user !== undefined && (await server.token()) === undefined;
  const name = isAnonymous ? flags.user : await currentUser(context);
  const user = flags.user ?? name;
  const flag = "--password-stdin";
  const check = (value: string) => value !== "" || "Enter your password";
  const password = given ?? (await prompt.password({ message: `Password of ${name}`, flag, check }));
  if (password.includes("\n")) throw new UsageError("The password must be one line");
  try {
    return await work(tokensByPassword(http, user, { name, password }));
  } catch (error) {
    if (!isRejected(error) || !prompt.able) throw rejection(error, name, context);
    out.warn("The server did not accept the password. If the account has two-factor authentication, enter a code");
    const otp = (await prompt.text({ message: "Two-factor code (leave empty if you have none)", flag })).trim();
    if (otp === "") throw rejection(error, name, context);
    return work(tokensByPassword(http, user, { name, password, otp })).catch((second: unknown) => {
      throw rejection(second, name, context);
    });
  }
}

function isRejected(error: unknown): error is DeniedError {
  return error instanceof DeniedError && error.status === 401;
}

/** The error for a rejected password, with the page where tokens are managed without it. */
function rejection(error: unknown, name: string, { server }: Context): unknown {
  if (!isRejected(error)) return error;
  const why = error.serverMessage === "" ? "" : `: ${error.serverMessage}`;
  return new Failure("not_signed_in", `The server did not accept the password of ${name}${why}`, {
    hint: `Check the password, or manage tokens at ${addressText(server.base)}/user/settings/applications`,
    status: error.status,
    method: error.method,
    path: error.path,
    cause: error,
  });
}
