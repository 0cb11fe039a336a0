import { kebab } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { Operation } from "../forge/operation.ts";
import type { Listing } from "../http/pages.ts";
import type { Column } from "../output/table.ts";
import { joinWords } from "../text/words.ts";
import type { BaseContext } from "./context.ts";
import { collectAll } from "./shared.ts";

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
  /** The flags that say what is changed, as they would be typed. */
  readonly changes: readonly string[];
}

/**
 * The records that filters select for a write, read to the end, or the first as many as `--limit` says, before the first change,
 * after asking. None if there are none, or with --plan, which lists them.
 */
export async function confirmFiltered<T>(
  listing: Listing<T>,
  { verb, noun, name, where, columns, sends, plan, changes }: Filtered<T>,
  { out, prompt, options }: Pick<BaseContext, "out" | "prompt" | "options">,
): Promise<readonly T[]> {
  const found = await collectAll(listing, options);
  const [first] = found;
  const how = changes.length === 0 ? "" : ` with ${joinWords(changes)}`;
  if (first === undefined) {
    if (out.records) await out.items([]);
    out.note(`No ${noun[1]} found.`);
    return [];
  }
  if (plan) {
    const { total } = listing;
    async function* take() {
      yield* found;
    }
    await out.list({ take, total }, columns, { unlimited: options.limit === undefined });
    if (how !== "") out.note(`Would ${verb.toLowerCase()} them${how}`);
    return [];
  }
  const what = found.length === 1 ? `${noun[0]} ${name(first)}` : `${found.length} ${noun[1]} of ${where}`;
  await prompt.confirmAction({ what: `${verb} ${what}${how}`, sends });
  return found;
}

/** Whether a flag that filters was given. */
export function isGivenFilter(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Throws a usage error for `--limit` with records that are named: it is for those that filters select. */
export function refuseLimit({ limit }: BaseContext["options"]): void {
  if (limit !== undefined) throw new UsageError("--limit is for what filters select", "Name fewer of them instead.");
}

/** How much of a text is shown, in characters. */
const shownText = 60;

/** Flags that were given, as they would be typed: long texts shortened. */
export function typedFlags(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([key, value]) => {
    const name = kebab(key);
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((one) => {
      const text = String(one);
      return [`--${name}`, text.length > shownText ? `${text.slice(0, shownText)}…` : text];
    });
  });
}
