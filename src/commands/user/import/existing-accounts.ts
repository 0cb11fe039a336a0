import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/users.ts";
import { HttpError, NotFoundError } from "../../../http/errors.ts";
import type { Checked } from "./check.ts";
import type { Row } from "./rows.ts";

/** What an import knows of the server before it creates an account: its clock, and who was there. */
export interface Before {
  /** The server's time, never ahead of it, in whole seconds as milliseconds since 1970; undefined when it has not said. */
  now(): Promise<number | undefined>;
  /** Takes the `Date` header of an answer that has just come. */
  heard(date: string | undefined): void;
  /** Whether an account of that name was there before this import; undefined when the server does not say. */
  has(username: string): Promise<boolean | undefined>;
}

/** Asks nothing, for `--dry-run`. */
export const nothingBefore: Before = { now: async () => undefined, heard() {}, has: async () => undefined };

/** How many accounts the servers put on a page. */
export const onPage = 50;

/**
 * Looks at the server when it is first asked: all accounts are listed where that takes fewer requests than the rows,
 * else each name is asked for. A server that refuses to say is no failure.
 */
export function lookBefore(forge: Forge, { names }: Pick<Checked, "names">, rows: number): Before {
  /** The server's time when `performance.now()` was 0. */
  let zero: number | undefined;
  let looking: Promise<ReadonlySet<string> | undefined> | undefined;

  function heard(date: string | undefined): void {
    const time = Date.parse(date ?? "");
    if (!Number.isNaN(time)) zero = time - performance.now();
  }

  async function listed(): Promise<ReadonlySet<string> | undefined> {
    const headers = await forge.adminUsers.headers().catch(headersOf);
    heard(headers["date"]);
    const total = Number(headers["x-total-count"] ?? Number.NaN);
    if (!(Math.ceil(total / onPage) <= rows)) return undefined;
    const found = new Set<string>();
    let count = 0;
    for await (const { login } of forge.adminUsers.list({}).take(Number.POSITIVE_INFINITY)) {
      count += 1;
      if (names.has(login)) found.add(login.toLowerCase());
    }
    // Of a list that moved while it was read, some may be missing.
    return count < total ? undefined : found;
  }

  function look(): Promise<ReadonlySet<string> | undefined> {
    looking ??= listed().catch((error: unknown) => {
      looking = undefined;
      throw error;
    });
    return looking;
  }

  return {
    heard,
    async now() {
      await look();
      return zero === undefined ? undefined : Math.floor((zero + performance.now()) / 1000) * 1000;
    },
    async has(username) {
      const found = await look();
      if (found !== undefined) return found.has(username.toLowerCase());
      try {
        return (await existing(forge, username)) !== undefined;
      } catch (error) {
        if (error instanceof HttpError) return undefined;
        throw error;
      }
    },
  };
}

/** The headers of a refusal; any other error is thrown. */
function headersOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (error instanceof HttpError) return { date: error.exchange.headers["date"] };
  throw error;
}

/** What is known of the POSTs of a row whose answers were not noted. Times are the server's, in milliseconds since 1970. */
export interface Begun {
  /** When the first of them began. */
  readonly from: number | undefined;
  /** When the last of them began. */
  readonly to: number | undefined;
  /** Whether the server had no such account before the first. */
  readonly absent: boolean;
  /** The id of the account, when the answer came. */
  readonly id?: number;
}

/** How long after a POST began it may still create the account, in milliseconds. */
const longest = 5 * 60_000;

/** What is known once another POST begins: the first one counts for what was there before. */
export function begunAgain(
  earlier: Begun | undefined,
  { at, absent }: { readonly at: number | undefined; readonly absent: boolean },
): Begun {
  if (earlier?.absent === true && earlier.from !== undefined) return { ...earlier, to: at ?? earlier.to };
  return { from: at, to: at, absent };
}

/**
 * Whether an account was made by a row's POSTs: `unclear` unless something proves it. The server's clock decides, for
 * both times come from it.
 */
export function whose(account: User, row: Row, { from, to, absent, id }: Begun): "ours" | "another" | "unclear" {
  if (id !== undefined) return account.id === id ? "ours" : "another";
  if (account.email.toLowerCase() !== String(row.fields["email"]).toLowerCase()) return "another";
  const made = Date.parse(account.created);
  const dated = row.fields["created_at"];
  if (dated !== undefined) {
    const asked = Math.floor(Date.parse(String(dated)) / 1000) * 1000;
    if (made !== asked) return "another";
    return absent ? "ours" : "unclear";
  }
  if (from === undefined || to === undefined || Number.isNaN(made)) return "unclear";
  if (made < from) return "another";
  return absent && made <= to + longest ? "ours" : "unclear";
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
