import { hostname } from "node:os";
import type { BaseContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type AccessToken, basicAuth, type Login, tokenCreate } from "../../forge/tokens.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError } from "../../http/errors.ts";
import type { Choice } from "../../prompts/prompter.ts";

const areas = ["issue", "notification", "organization", "package", "repository", "user"] as const;
const scopeChoices: readonly Choice<readonly string[]>[] = [
  {
    name: "Read and write",
    value: areas.map((area) => `write:${area}`),
    description: "repositories, issues, pull requests, organizations and your account; no administration",
  },
  {
    name: "Full access",
    value: ["all"],
    description: "everything your account can do, including administration if you are an administrator",
  },
  {
    name: "Read only",
    value: areas.map((area) => `read:${area}`),
    description: "view repositories, issues, pull requests, organizations and your account",
  },
];

/**
 * Prompts for a username and password and creates a token with them (POST /users/{username}/tokens); neither is stored.
 * Prompts for a two-factor code when the server rejects them: it does not say whether the password or the code is
 * wrong. `page` is where tokens are created in the browser. Throws a failure when the server rejects the credentials.
 */
export async function createToken(
  { prompt, system, out }: Pick<BaseContext, "prompt" | "system" | "out">,
  http: Http,
  page: string,
): Promise<{ readonly token: string; readonly scopes: readonly string[] }> {
  const flag = "--token-stdin";
  const required = (what: string) => (value: string) => value !== "" || `Enter your ${what}`;
  const name = await prompt.text({ message: "Username", flag, check: required("username") });
  const password = await prompt.password({ message: "Password", flag, check: required("password") });
  const scopes = await prompt.select({ message: "What access should the token have?", flag, choices: scopeChoices });
  const body = { name: tokenName(system.now()), scopes };
  const login: Login = { name, password };
  let created: AccessToken;
  try {
    created = await call(http, tokenCreate, { username: login.name }, body, { headers: basicAuth(login) });
  } catch (error) {
    if (!mayNeedCode(error)) throw creationError(error, page);
    // Gitea says the same of a wrong password and of a missing code (docs/server-differences.md, "Tokens and signing in").
    out.warn(
      "The server did not accept the username and password. If the account has two-factor authentication, enter a code",
    );
    const message = "Two-factor code (leave empty if you have none)";
    const otp = (await prompt.text({ message, flag })).trim();
    if (otp === "") throw creationError(error, page);
    created = await call(http, tokenCreate, { username: login.name }, body, {
      headers: basicAuth({ ...login, otp }),
    }).catch((second: unknown) => {
      throw creationError(second, page);
    });
  }
  if (created.sha1 === undefined) {
    throw new Failure("no_token", "The server created a token but did not return it");
  }
  return { token: created.sha1, scopes: created.scopes ?? scopes };
}

/** A name that no other token of the account has. */
function tokenName(now: Date): string {
  return `tongs on ${hostname()}, ${now.toISOString()}`;
}

function mayNeedCode(error: unknown): boolean {
  if (!(error instanceof DeniedError) || error.status !== 401) return false;
  // Forgejo says what is wrong.
  return !/WebAuthn|password is invalid|user does not exist|not allowed login/.test(error.serverMessage);
}

/**
 * The error for credentials that the server rejected. The hint is to create a token in the browser, which works where
 * passwords are not accepted: docs/server-differences.md, "Tokens and signing in".
 */
function creationError(error: unknown, page: string): unknown {
  if (!(error instanceof DeniedError)) return error;
  const reason = error.status === 401 ? error.serverMessage : "the server does not accept passwords for this";
  return new Failure("not_signed_in", `Could not create a token: ${reason}`, {
    hint: `Check the username, password and code, or create a token at ${page}`,
    status: error.status,
    cause: error,
  });
}
