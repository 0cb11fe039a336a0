import { userList, userPage } from "../../../forge/admin-users.ts";
import { call, respond } from "../../../forge/operation.ts";
import { type User, userGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError, ifFound } from "../../../http/errors.ts";
import type { CheckedFile } from "./check.ts";
import type { Row } from "./rows.ts";

/** The server's clock, and its users before the import started. */
export interface ServerState {
  /** The server's time in milliseconds since 1970, rounded down to a second; undefined if the server sent no date. */
  now(): Promise<number | undefined>;
  /** Sets the clock from the `Date` header of a response that has just arrived. */
  syncClock(date: string | undefined): void;
  /** Whether the user existed before this import; undefined if the server does not tell. */
  has(username: string): Promise<boolean | undefined>;
}

/** Sends no requests, for `--dry-run`. */
export const unknownServerState: ServerState = {
  now: async () => undefined,
  syncClock() {},
  has: async () => undefined,
};

/** The number of items on a page of a list. */
export const pageSize = 50;

/**
 * Reads the state of the server on first use: lists all users where that takes fewer requests than looking up each of
 * `rows`. A server that refuses the list is not an error.
 */
export function readServerState(http: Http, { names }: Pick<CheckedFile, "names">, rows: number): ServerState {
  /** The server's time when `performance.now()` was 0. */
  let clockOffset: number | undefined;
  let loading: Promise<ReadonlySet<string> | undefined> | undefined;

  function syncClock(date: string | undefined): void {
    const time = Date.parse(date ?? "");
    if (!Number.isNaN(time)) clockOffset = time - performance.now();
  }

  async function listUsers(): Promise<ReadonlySet<string> | undefined> {
    const headers = await respond(http, userPage, { page: 1, limit: 1 }).then((page) => page.headers, headersOf);
    syncClock(headers["date"]);
    const total = Number(headers["x-total-count"] ?? Number.NaN);
    if (!(Math.ceil(total / pageSize) <= rows)) return undefined;
    const found = new Set<string>();
    let count = 0;
    for await (const { login } of call(http, userList, {}).take(Number.POSITIVE_INFINITY)) {
      count += 1;
      if (names.has(login)) found.add(login.toLowerCase());
    }
    // A list that changed while it was read may be incomplete.
    return count < total ? undefined : found;
  }

  function load(): Promise<ReadonlySet<string> | undefined> {
    loading ??= listUsers().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  return {
    syncClock,
    async now() {
      await load();
      return clockOffset === undefined ? undefined : Math.floor((clockOffset + performance.now()) / 1000) * 1000;
    },
    async has(username) {
      const found = await load();
      if (found !== undefined) return found.has(username.toLowerCase());
      try {
        return (await findUser(http, username)) !== undefined;
      } catch (error) {
        if (error instanceof HttpError) return undefined;
        throw error;
      }
    },
  };
}

/** The headers of an error response. Throws any other error. */
function headersOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (error instanceof HttpError) return { date: error.exchange.headers["date"] };
  throw error;
}

/** The requests to create a user whose responses are not in the journal. Times are the server's, in ms since 1970. */
export interface Attempt {
  /** When the first request was sent. */
  readonly first: number | undefined;
  /** When the last request was sent. */
  readonly last: number | undefined;
  /** Whether the user did not exist before the first request. */
  readonly absent: boolean;
  /** The ID of the user, if a response was recorded. */
  readonly id?: number;
}

/** How long after it was sent a request may still create the user, in milliseconds. */
const maxCreateTime = 5 * 60_000;

/** Adds another request to an earlier attempt. `absent` is taken from the first one whose time is known. */
export function addAttempt(
  earlier: Attempt | undefined,
  { at, absent }: { readonly at: number | undefined; readonly absent: boolean },
): Attempt {
  if (earlier?.absent === true && earlier.first !== undefined) return { ...earlier, last: at ?? earlier.last };
  return { first: at, last: at, absent };
}

/**
 * Who created a user: this import, somebody else, or `unknown` without proof. Compares the creation time with the times
 * of the requests; both come from the server's clock.
 */
export function creatorOf(
  user: User,
  row: Row,
  { first, last, absent, id }: Attempt,
): "import" | "another" | "unknown" {
  if (id !== undefined) return user.id === id ? "import" : "another";
  if (user.email?.toLowerCase() !== String(row.fields["email"]).toLowerCase()) return "another";
  const created = Date.parse(user.created ?? "");
  const requested = row.fields["created_at"];
  if (requested !== undefined) {
    const requestedTime = Math.floor(Date.parse(String(requested)) / 1000) * 1000;
    if (created !== requestedTime) return "another";
    return absent ? "import" : "unknown";
  }
  if (first === undefined || last === undefined || Number.isNaN(created)) return "unknown";
  if (created < first) return "another";
  return absent && created <= last + maxCreateTime ? "import" : "unknown";
}

/** The user of that name; undefined if there is none, or if the server redirects from an old name. */
export async function findUser(http: Http, username: string): Promise<User | undefined> {
  const found = await ifFound(call(http, userGet, { username }));
  return found?.login.toLowerCase() === username.toLowerCase() ? found : undefined;
}
