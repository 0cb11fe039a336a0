import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/users.ts";
import { HttpError } from "../../../http/errors.ts";
import type { Listing } from "../../../http/pages.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { type Checked, goodRows } from "./check.ts";
import { existing, onPage } from "./existing-accounts.ts";
import {
  type Account,
  columns,
  differences,
  isOrganization,
  type OnExisting,
  type Outcome,
  summary,
} from "./outcome.ts";
import { importFields, type Row } from "./rows.ts";

/** The flags of `tongs user import` that a plan needs. */
export interface PlanFlags {
  readonly onExisting: OnExisting;
  /** How many rows are worked on at once. */
  readonly jobs: number | undefined;
}

/** Prints what would happen with each row. */
export async function planFile(
  checked: Checked,
  flags: PlanFlags,
  { forge, out }: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const counts = new Map<string, number>();
  const untold = () => out.note("This server does not list mail addresses: one that is in use is not found out here.");
  async function* planned(): AsyncGenerator<Outcome, void, undefined> {
    const server = await askServer(forge, checked, flags.onExisting, untold);
    const rows = inOrder(goodRows(checked), flags.jobs ?? 8, (row) => planRow(server, row, flags.onExisting));
    for await (const item of rows) {
      counts.set(item.action, (counts.get(item.action) ?? 0) + 1);
      yield item;
    }
  }
  await out.list({ take: planned, total: undefined }, columns, { whole: true });
  out.note(`${summary(counts)}; nothing was sent.`);
  return counts.has("invalid") ? "usage" : undefined;
}

/** What would happen with a row. Sends reads only. */
async function planRow(server: OnServer, row: Row, onExisting: OnExisting): Promise<Outcome> {
  const username = String(row.fields["username"]);
  const base = { line: row.line, username };
  const invalid = (reason: string): Outcome => ({ ...base, action: "invalid", reason });
  const account = await server.accountOf(username);
  if (account !== undefined && onExisting === "fail") return invalid("the account exists already");
  if (account !== undefined && onExisting === "skip") {
    return { ...base, action: "skip", reason: "the account exists already" };
  }
  if (account !== undefined && (await server.isOrganization(username))) return invalid(isOrganization);
  const email = String(row.fields["email"]);
  const owner = await server.ownerOf(email);
  if (owner !== undefined && owner.toLowerCase() !== username.toLowerCase()) {
    return invalid(`${email} is the mail address of ${owner}`);
  }
  if (account === undefined) return { ...base, action: "create" };
  const changes = differences(row, account);
  const named = Object.keys(changes);
  return named.length === 0 ? { ...base, action: "unchanged" } : { ...base, action: "update", changes };
}

/** What the server has that the rows of a file may meet. Sends reads only. */
interface OnServer {
  /** The account of a name. It may be an organization. */
  accountOf(username: string): Promise<Account | undefined>;
  isOrganization(username: string): Promise<boolean>;
  /** The login name of whom a mail address belongs to. */
  ownerOf(email: string): Promise<string | undefined>;
}

const shownFields = Object.values(importFields).flatMap(({ shown }) => shown ?? []);

/**
 * Finds out about all rows in as few requests as can be: a list of the server's mail addresses (GET /admin/emails), and
 * one of its accounts where rows may update some, is read where it has fewer pages than the file has rows; otherwise
 * each row asks for its own. `onUntold` is told when the server has no such list.
 */
async function askServer(
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
