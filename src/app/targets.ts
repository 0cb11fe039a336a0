import { kebab } from "../command/flags.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import { UsageError } from "../failure/failure.ts";
import { collect } from "../forge/listings.ts";
import type { Operation } from "../forge/operation.ts";
import type { Listing } from "../http/pages.ts";
import type { Column } from "../output/table.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { joinWords } from "../text/words.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { type Made, runPlan } from "./plan.ts";

/** One of those that a verb is for. */
export interface Target {
  /** The name in errors: `#12`. */
  readonly name: string;
  readonly repo: RepoName;
}

/** A verb for those that are named, or that the filters of the noun's list select. */
export interface ManyTargets<R extends object, T extends Target> {
  /** `Close`, for the question. */
  readonly verb: string;
  readonly noun: readonly [one: string, many: string];
  readonly columns: readonly Column<R>[];
  /** The operation that does it. */
  readonly sends: Operation;
  /** Flags that filter, for the hint. */
  readonly such: string;
  /** The values of the flags that filter. */
  readonly filters: readonly unknown[];
  /** Only lists those that filters select. */
  readonly plan: boolean;
  /** The flags that say what is changed. */
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly typed: readonly unknown[];
  /** Whether one is named by none. */
  readonly hasDefault?: boolean;
  readonly named: () => Promise<readonly T[]>;
  /** Reads a named one, for --plan; without it, that is for filters. */
  readonly read?: (target: T) => Promise<R>;
  /** Those that the filters select, each of which is a target. */
  readonly find: () => Promise<{ readonly listing: Listing<R>; readonly target: (record: R) => T }>;
  /** What the question says of a single one: `issue mara/harbor#12`. */
  readonly called: (target: T) => Promise<string> | string;
  /** Whether it also asks about those that are named. */
  readonly asks?: boolean;
  /** Called before anything is asked and done. */
  readonly prepare?: (targets: readonly T[]) => Promise<unknown>;
  readonly work: (target: T) => Promise<Made<object>>;
}

/**
 * Does it to the named ones, or to those that filters select, which are read to the end, or as many as `--limit` says, before the
 * first change. Those are listed with `--plan`, and otherwise asked about once. Returns the exit name.
 */
export async function changeTargets<R extends object, T extends Target>(
  many: ManyTargets<R, T>,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { verb, noun, columns, sends, filters, plan, typed, read, work } = many;
  const { limit } = context.options;
  const isFiltered = filters.some(isGiven);
  if (isFiltered ? typed.length > 0 : (typed.length === 0 && !many.hasDefault) || (plan && read === undefined))
    throw new UsageError(`Specify either ${noun[1]}, or at least one filter, such as ${many.such}`);
  if (!isFiltered && limit !== undefined)
    throw new UsageError("--limit is for what filters select", "Name fewer of them instead.");
  const found = isFiltered ? await many.find() : undefined;
  const records = found && (await collect(found.listing, limit));
  const targets = found && records ? records.map(found.target) : await many.named();
  const words = typedFlags(many.changes ?? {});
  const how = words.length === 0 ? "" : ` with ${joinWords(words)}`;
  const nothing = `No ${noun[1]} found.`;
  const change = (target: T) => ({ place: target.name, line: target.name, make: () => work(target) });
  if (plan && targets.length > 0) {
    const rows = records ?? (await Promise.all(targets.flatMap((one) => read?.(one) ?? [])));
    const changes = targets.flatMap((one, at) => rows.slice(at, at + 1).map((row) => ({ ...change(one), row })));
    async function* take() {
      yield* rows;
    }
    const shown = { take, total: found?.listing.total };
    return runPlan(changes, { asks: undefined, isPlan: true, rows: shown, columns, how, nothing }, context);
  }
  if (targets.length > 0) await many.prepare?.(targets);
  const [first] = targets;
  const where = [...new Set(targets.map(({ repo }) => fullName(repo)))].join(", ");
  const what = async () =>
    first !== undefined && targets.length === 1 ? many.called(first) : `${targets.length} ${noun[1]} of ${where}`;
  const asks = isFiltered || many.asks === true;
  return runPlan<object>(
    targets.map((target) => ({ ...change(target), row: {} })),
    {
      asks: asks ? `${verb} ${await what()}${how}` : undefined,
      sends,
      lines: asks && targets.length > 1 ? targets.map(({ name }) => name) : [],
      isPlan: false,
      nothing,
    },
    context,
  );
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** How much of a text is shown, in characters. */
const shownText = 60;

/** Flags that were given, as they would be typed: long texts shortened. */
function typedFlags(flags: Readonly<Record<string, unknown>>): string[] {
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
