import { hostname } from "node:os";
import type { BaseContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { Forge } from "../../forge/index.ts";
import type { AccessToken, Login } from "../../forge/tokens.ts";
import { DeniedError } from "../../http/errors.ts";
import type { Choice } from "../../prompts/prompter.ts";

const areas = ["issue", "notification", "organization", "package", "repository", "user"] as const;
const rights: readonly Choice<readonly string[]>[] = [
  {
    name: "Everything but administration",
    value: areas.map((area) => `write:${area}`),
    description: "work on repositories, issues, pull requests, organizations and your account",
  },
  { name: "Everything you may do", value: ["all"], description: "administration too, if you are an administrator" },
  { name: "Only look", value: areas.map((area) => `read:${area}`), description: "change nothing" },
];

/**
 * Makes a token with a name and password, both asked for; neither is kept (POST /users/{username}/tokens). Asks for the
 * code of a second factor when the server does not accept them alone: it does not say which of the two is wrong.
 */
export async function makeToken(
  { prompt, system }: Pick<BaseContext, "prompt" | "system">,
  forge: Forge,
  settings: string,
): Promise<{ readonly token: string; readonly scopes: readonly string[] }> {
  const flag = "--token-stdin";
  const filled = (what: string) => (value: string) => value !== "" || `Type ${what}.`;
  const name = await prompt.text({ message: "User name", flag, check: filled("your name on the server") });
  const password = await prompt.password({ message: "Password", flag, check: filled("the password") });
  const scopes = await prompt.select({ message: "What may tongs do for you?", flag, choices: rights });
  const body = { name: tokenName(system.now()), scopes };
  const login: Login = { name, password };
  let made: AccessToken;
  try {
    made = await forge.tokens.create(login, body);
  } catch (error) {
    if (!needsCode(error)) throw refused(error, settings);
    const message = "Code of your second factor (empty if you have none)";
    const otp = (await prompt.text({ message, flag })).trim();
    if (otp === "") throw refused(error, settings);
    made = await forge.tokens.create({ ...login, otp }, body).catch((again: unknown) => {
      throw refused(again, settings);
    });
  }
  if (made.sha1 === undefined) throw new Failure("no_token", "serverFailed", "The server made a token but kept it");
  return { token: made.sha1, scopes: made.scopes };
}

/** A name that no other token of the account has. */
function tokenName(now: Date): string {
  return `tongs on ${hostname()}, ${now.toISOString()}`;
}

function needsCode(error: unknown): boolean {
  return error instanceof DeniedError && error.status === 401 && !error.serverMessage.includes("WebAuthn");
}

/** What to do when name and password did not help: a token made in the browser always does (api-facts 4.1). */
function refused(error: unknown, settings: string): unknown {
  if (!(error instanceof DeniedError)) return error;
  const why = error.status === 401 ? error.serverMessage : "this server takes no passwords here";
  return new Failure("not_signed_in", "denied", `No token was made: ${why}`, {
    hint: `Check name, password and code, or make a token at ${settings}`,
    status: error.status,
    cause: error,
  });
}
