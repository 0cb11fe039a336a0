import { collect } from "../forge/listings.ts";
import type { Operation } from "../forge/operation.ts";
import type { Listing } from "../http/pages.ts";
import type { Column } from "../output/table.ts";
import type { BaseContext } from "./context.ts";

/** What is done to the records that filters select. */
interface Filtered<T> {
  /** `Close`, for the question. */
  readonly verb: string;
  readonly noun: readonly [one: string, many: string];
  /** The name of a record: `mara/harbor#12`. */
  readonly name: (record: T) => string;
  /** Where they are: `mara/harbor`. */
  readonly where: string;
  readonly columns: readonly Column<T>[];
  /** The operation that does it. */
  readonly sends: Operation;
  /** Whether to list the records only. */
  readonly plan: boolean;
}

/**
 * The records that filters select for a write, read to the end before the first change, after asking. None if there are none,
 * or with --plan, which lists them.
 */
export async function confirmFiltered<T>(
  listing: Listing<T>,
  { verb, noun, name, where, columns, sends, plan }: Filtered<T>,
  { out, prompt }: Pick<BaseContext, "out" | "prompt">,
): Promise<readonly T[]> {
  const found = await collect(listing);
  const [first] = found;
  if (first === undefined) {
    if (out.records) await out.items([]);
    out.note(`No ${noun[1]} found.`);
    return [];
  }
  if (plan) {
    await out.list(found, columns, { unlimited: true });
    return [];
  }
  const what = found.length === 1 ? `${noun[0]} ${name(first)}` : `${found.length} ${noun[1]} of ${where}`;
  await prompt.confirmAction({ what: `${verb} ${what}`, sends });
  return found;
}

/** Whether a flag that filters was given. */
export function isGivenFilter(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
