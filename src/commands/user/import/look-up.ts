import { isReservedOnSome, reservedProblem } from "../../../forge/account-rules.ts";
import { find } from "../../../forge/operation.ts";
import { isOrganization, type User, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { once } from "../../../system/concurrency.ts";
import { lacksPassword, missingPassword } from "./outcome.ts";
import type { Row } from "./rows.ts";

/** The user or organization of that name; undefined if there is none, or if the server redirects from an old name. */
export async function findUser(http: Http, username: string): Promise<User | undefined> {
  const found = await find(http, userGet, { username });
  return found !== undefined && hasName(found, username) ? found : undefined;
}

/** What a name leads to: the user who has it, or whether an organization has it. `login` is another name if it is an old one. */
export async function findAccount(
  http: Http,
  username: string,
): Promise<{ readonly user?: User; readonly isOrganization: boolean; readonly login?: string }> {
  const found = await find(http, userGet, { username });
  if (found === undefined) return { isOrganization: false };
  const { login } = found;
  if (!hasName(found, username)) return { isOrganization: false, login };
  const isOrg = await isOrganization(http, username);
  return isOrg ? { isOrganization: true, login } : { user: found, isOrganization: false, login };
}

const hasName = ({ login }: User, username: string) => login.toLowerCase() === username.toLowerCase();

/** Finds why no account can be created for a row: the server reserves the name, or there is no password. */
export function newUserProblems(http: Http, generates: boolean): (row: Row) => Promise<string | undefined> {
  const reserved = once(String, (name: string) => reservedProblem(http, name));
  return async (row) => {
    const name = String(row.fields["username"]);
    const problem = isReservedOnSome(name) ? await reserved(name) : undefined;
    return problem ?? (lacksPassword(row, generates) ? missingPassword : undefined);
  };
}
