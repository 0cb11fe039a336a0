import { isReservedOnSome, reservedProblem } from "../../../forge/account-rules.ts";
import { call } from "../../../forge/operation.ts";
import { isOrganization, type User, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { ifFound } from "../../../http/errors.ts";
import { once } from "../../../system/concurrency.ts";
import { lacksPassword, missingPassword } from "./outcome.ts";
import type { Row } from "./rows.ts";

/** The user or organization of that name; undefined if there is none, or if the server redirects from an old name. */
export async function findUser(http: Http, username: string): Promise<User | undefined> {
  const found = await ifFound(call(http, userGet, { username }));
  return found?.login.toLowerCase() === username.toLowerCase() ? found : undefined;
}

/** The user of that name, or whether an organization has it. */
export async function findAccount(
  http: Http,
  username: string,
): Promise<{ readonly user?: User; readonly isOrganization: boolean }> {
  const user = await findUser(http, username);
  if (user === undefined) return { isOrganization: false };
  return (await isOrganization(http, username)) ? { isOrganization: true } : { user, isOrganization: false };
}

/** Finds why no account can be created for a row: the server reserves the name, or there is no password. */
export function newUserProblems(http: Http, generates: boolean): (row: Row) => Promise<string | undefined> {
  const reserved = once(String, (name: string) => reservedProblem(http, name));
  return async (row) => {
    const name = String(row.fields["username"]);
    const problem = isReservedOnSome(name) ? await reserved(name) : undefined;
    return problem ?? (lacksPassword(row, generates) ? missingPassword : undefined);
  };
}
