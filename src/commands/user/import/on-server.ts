import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/users.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import type { Checked } from "./check.ts";
import { importFields } from "./fields.ts";
import type { OnExisting } from "./plan.ts";

/** What a plan has to know of an account: the fields that an import can change, by their names in the user record. */
export type Account = Readonly<Record<string, unknown>>;

/** What the server has that the rows of a file may meet. Sends reads only. */
export interface OnServer {
  /** The account of a name. It may be an organization. */
  accountOf(username: string): Promise<Account | undefined>;
  isOrganization(username: string): Promise<boolean>;
  /** The login name of whom a mail address belongs to. */
  ownerOf(email: string): Promise<string | undefined>;
}

/** How many items the servers put on a page. */
const onPage = 50;

const shownFields = Object.values(importFields).flatMap(({ shown }) => shown ?? []);

/**
 * Finds out about all rows in as few requests as can be: a list of the server's mail addresses (GET /admin/emails), and
 * one of its accounts where rows may update some, is read where it has fewer pages than the file has rows; otherwise
 * each row asks for its own. `onUntold` is told when the server has no such list.
 */
export async function askServer(
  forge: Forge,
  { rows, names, mails }: Pick<Checked, "rows" | "names" | "mails">,
  onExisting: OnExisting,
  onUntold: () => void,
): Promise<OnServer> {
  const people = new Set<string>();
  const owners = new Map<string, string>();
  const accounts = new Map<string, Account>();
  const knowsMails = { all: false, none: false };

  async function readMails(): Promise<void> {
    try {
      knowsMails.all = await readIfShort(forge.adminUsers.emails(), rows, ({ email, username }) => {
        const name = username.toLowerCase();
        if (names.has(name)) people.add(name);
        if (mails.has(email)) owners.set(email.toLowerCase(), username);
      });
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== "unknown_operation") throw error;
      knowsMails.none = true;
      onUntold();
    }
  }

  async function readAccounts(): Promise<void> {
    if (onExisting !== "update") return;
    await readIfShort(forge.adminUsers.list({}), rows, (user) => {
      const name = user.login.toLowerCase();
      if (!names.has(name)) return;
      people.add(name);
      accounts.set(name, Object.fromEntries(shownFields.map((field) => [field, user[field as keyof User]])));
    });
  }

  await Promise.all([readMails(), readAccounts()]);

  return {
    async accountOf(username) {
      const name = username.toLowerCase();
      const known = accounts.get(name) ?? (onExisting !== "update" && people.has(name) ? {} : undefined);
      return known ?? ((await existing(forge, username)) as Account | undefined);
    },
    isOrganization: async (username) =>
      !people.has(username.toLowerCase()) && (await forge.users.isOrganization(username)),
    async ownerOf(email) {
      if (knowsMails.none) return undefined;
      if (knowsMails.all) return owners.get(email.toLowerCase());
      for await (const found of forge.adminUsers.searchEmails(email).take(Number.POSITIVE_INFINITY)) {
        if (found.email.toLowerCase() === email.toLowerCase()) return found.username;
      }
      return undefined;
    },
  };
}

/** Reads a list unless it has more pages than there are rows, or does not say how many. Whether it was read. */
async function readIfShort<T>(listing: Listing<T>, rows: number, take: (item: T) => void): Promise<boolean> {
  if (listing.pages === undefined) return false;
  let pages: number | undefined;
  for await (const items of listing.pages(Number.POSITIVE_INFINITY)) {
    pages ??= Math.ceil((listing.total ?? Number.POSITIVE_INFINITY) / onPage);
    if (pages > rows) return false;
    for (const item of items) take(item);
  }
  return true;
}

/** The account of that name, or undefined. One that only used to have it is another. */
export async function existing(forge: Forge, username: string): Promise<User | undefined> {
  try {
    const found = await forge.users.get(username);
    return found.login.toLowerCase() === username.toLowerCase() ? found : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
