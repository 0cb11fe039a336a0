import type { User } from "../../../forge/users.ts";
import type { Row } from "./rows.ts";

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
  if (account.email?.toLowerCase() !== String(row.fields["email"]).toLowerCase()) return "another";
  const made = Date.parse(account.created ?? "");
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
