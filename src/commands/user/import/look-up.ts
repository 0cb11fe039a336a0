import { emailList, emailSearch, userList } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { isOrganization, type User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import { present } from "../../../shape/shape.ts";
import type { CheckedFile } from "./check.ts";
import { findUser, pageSize } from "./existing-users.ts";
import type { OnExisting, UserFields } from "./outcome.ts";
import { importFields, type Row } from "./rows.ts";

/** Looks up existing users and email addresses. Sends only reads. */
export interface ServerLookup {
  /** The user of that name, which may be an organization. */
  userOf(username: string): Promise<UserFields | undefined>;
  isOrganization(username: string): Promise<boolean>;
  /** The login name of the user with that email address. */
  ownerOf(email: string): Promise<string | undefined>;
}

/** What is said of a server without a list of email addresses. */
export const addressesUnlisted =
  "This server does not list email addresses: addresses that are already in use are not detected.";

/** Who else has the email address of a row. */
export async function addressOwner(server: ServerLookup, { fields }: Row): Promise<string | undefined> {
  const owner = await server.ownerOf(String(fields["email"]));
  return owner?.toLowerCase() === String(fields["username"]).toLowerCase() ? undefined : owner;
}

/** What is said of such an address. */
export function addressTaken(owner: string): string {
  return `is already used by ${owner}`;
}

const recordFields = Object.values(importFields).flatMap(({ recordField }) => recordField ?? []);

/**
 * Looks up all rows in as few requests as possible: reads the list of email addresses (GET /admin/emails) and, with
 * `--on-existing update`, the list of users, where it has fewer pages than the file has rows. Otherwise each row is
 * looked up by itself. Calls `onUnlisted` if the server has no list of email addresses.
 */
export async function lookUpServer(
  http: Http,
  { rows, names, emails }: Pick<CheckedFile, "rows" | "names" | "emails">,
  onExisting: OnExisting,
  onUnlisted: () => void,
): Promise<ServerLookup> {
  const knownUsers = new Set<string>();
  const owners = new Map<string, string>();
  const records = new Map<string, UserFields>();
  let addressList: "complete" | "partial" | "unavailable" = "partial";

  async function readEmails(): Promise<void> {
    try {
      const isComplete = await readIfShort(call(http, emailList, {}), rows, ({ email, username }) => {
        const name = username.toLowerCase();
        if (names.has(name)) knownUsers.add(name);
        if (emails.has(email)) owners.set(email.toLowerCase(), username);
      });
      if (isComplete) addressList = "complete";
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== "unknown_operation") throw error;
      addressList = "unavailable";
      onUnlisted();
    }
  }

  async function readUsers(): Promise<void> {
    if (onExisting !== "update") return;
    await readIfShort(call(http, userList, {}), rows, (user) => {
      const name = user.login.toLowerCase();
      if (!names.has(name)) return;
      knownUsers.add(name);
      records.set(name, Object.fromEntries(recordFields.map((field) => [field, user[field as keyof User]])));
    });
  }

  await Promise.all([readEmails(), readUsers()]);

  return {
    async userOf(username) {
      const name = username.toLowerCase();
      const known = records.get(name) ?? (onExisting !== "update" && knownUsers.has(name) ? {} : undefined);
      return known ?? ((await findUser(http, username)) as UserFields | undefined);
    },
    isOrganization: async (username) =>
      !knownUsers.has(username.toLowerCase()) && (await isOrganization(http, username)),
    async ownerOf(email) {
      if (addressList === "unavailable") return undefined;
      if (addressList === "complete") return owners.get(email.toLowerCase());
      for await (const found of call(http, emailSearch, { q: email }).take(Number.POSITIVE_INFINITY)) {
        if (found.email.toLowerCase() === email.toLowerCase()) return found.username;
      }
      return undefined;
    },
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
