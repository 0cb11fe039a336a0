import { isReservedOnSome, reservedProblem } from "../../../forge/account-rules.ts";
import { emailList, emailSearch, userList } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { isOrganization, type User, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError, ifFound } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import { present } from "../../../shape/shape.ts";
import { once } from "../../../system/concurrency.ts";
import { lacksPassword, missingPassword } from "./outcome.ts";
import type { Row } from "./rows.ts";

/** The number of items on a page of a list. */
const pageSize = 50;

/** The user of that name; undefined if there is none, or if the server redirects from an old name. */
export async function findUser(http: Http, username: string): Promise<User | undefined> {
  const found = await ifFound(call(http, userGet, { username }));
  return found?.login.toLowerCase() === username.toLowerCase() ? found : undefined;
}

/** Looks up users by name. */
export type FindUser = (username: string) => Promise<User | undefined>;

/**
 * Looks up the users of rows in as few requests as possible: reads the list of all users where it has no more pages than there
 * are rows. An organization is no user.
 */
export async function lookUpUsers(http: Http, rows: readonly Row[]): Promise<FindUser> {
  const names = new Set(rows.map(({ fields }) => String(fields["username"]).toLowerCase()));
  const found = new Map<string, User>();
  const listing = call(http, userList, {});
  let count = 0;
  const isRead = await readIfShort(listing, rows.length, (user) => {
    count += 1;
    if (names.has(user.login.toLowerCase())) found.set(user.login.toLowerCase(), user);
  }).catch((error: unknown) => {
    // Some servers refuse the list to a token that may read each user.
    if (error instanceof HttpError && error.status !== 401) return false;
    throw error;
  });
  // A list that changed while it was read can be incomplete.
  const isComplete = isRead && count >= (listing.total ?? Number.POSITIVE_INFINITY);
  return async (username) => {
    const listed = found.get(username.toLowerCase());
    if (listed !== undefined || isComplete) return listed;
    const user = await findUser(http, username);
    return user === undefined || (await isOrganization(http, username)) ? undefined : user;
  };
}

/** Finds who has the email address of a row, other than its own user. */
export type FindOwner = (row: Row) => Promise<string | undefined>;

/**
 * Looks up email addresses: reads their list (GET /admin/emails) where it has no more pages than there are rows. Calls
 * `onUnlisted` if the server has no list of email addresses.
 */
export async function lookUpAddresses(
  http: Http,
  rows: readonly Row[],
  onUnlisted: (note: string) => void,
): Promise<FindOwner> {
  const owners = new Map<string, string>();
  const read = (): Promise<boolean> =>
    readIfShort(call(http, emailList, {}), rows.length, ({ email, username }) => {
      owners.set(email.toLowerCase(), username);
    });
  const isListed = await read().catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.code !== "unknown_operation") throw error;
    onUnlisted("This server does not list email addresses: addresses that are already in use are not detected.");
    return undefined;
  });
  const ownerOf = async (email: string) => {
    if (isListed !== false) return owners.get(email.toLowerCase());
    for await (const found of call(http, emailSearch, { q: email }).take(Number.POSITIVE_INFINITY))
      if (found.email.toLowerCase() === email.toLowerCase()) return found.username;
    return undefined;
  };
  return async ({ fields }) => {
    const owner = await ownerOf(String(fields["email"]));
    return owner?.toLowerCase() === String(fields["username"]).toLowerCase() ? undefined : owner;
  };
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

/** Reads a list unless it has more pages than there are rows, or its total is unknown. Returns whether it was read. */
async function readIfShort<T>(listing: Listing<T>, rows: number, onItem: (item: T) => void): Promise<boolean> {
  if (listing.pages === undefined) return false;
  let pages: number | undefined;
  for await (const items of listing.pages(Number.POSITIVE_INFINITY)) {
    pages ??= Math.ceil((listing.total ?? Number.POSITIVE_INFINITY) / pageSize);
    if (pages > rows) return false;
    for (const item of present(items)) onItem(item);
  }
  return true;
}
