import { isReservedOnSome, reservedProblem } from "../../../forge/account-rules.ts";
import type { Http } from "../../../http/client.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { type CheckedFile, rowsToImport } from "./check.ts";
import { findUser, type ServerState } from "./existing-users.ts";
import { lacksPassword, missingPassword } from "./outcome.ts";
import type { Problem, Row } from "./rows.ts";

/** Whether a row can be imported only if its user exists, as far as the row alone tells. */
export function needsUser(row: Row, generates: boolean): boolean {
  return lacksPassword(row, generates) || isReservedOnSome(String(row.fields["username"]));
}

/** Why no user can be created for a row: the server reserves the name, or there is no password. */
export async function newUserProblem(http: Http, row: Row, generates: boolean): Promise<string | undefined> {
  const reserved = await reservedProblem(http, String(row.fields["username"]));
  return reserved ?? (lacksPassword(row, generates) ? missingPassword : undefined);
}

/** The rows of a file that cannot be imported because their users do not exist. Sends only reads, and none without such rows. */
export async function problemsOfNewUsers(
  http: Http,
  checked: CheckedFile,
  state: Pick<ServerState, "has">,
  { jobs, generates }: { readonly jobs: number; readonly generates: boolean },
): Promise<Problem[]> {
  if (!checked.needsUsers) return [];
  const problems: Problem[] = [];
  const rows = rowsToImport(checked, (row) => needsUser(row, generates));
  const found = inOrder(rows, jobs, async (row): Promise<Problem[]> => {
    const username = String(row.fields["username"]);
    // What cannot be looked up, and the name of an organization, is refused in its turn.
    if ((await state.has(username)) !== false || (await findUser(http, username)) !== undefined) return [];
    const message = await newUserProblem(http, row, generates);
    return message === undefined ? [] : [{ line: row.line, username, message }];
  });
  for await (const some of found) problems.push(...some);
  return problems;
}
