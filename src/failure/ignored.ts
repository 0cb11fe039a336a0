import { AsyncLocalStorage } from "node:async_hooks";
import { Failure, type IgnoredField } from "./failure.ts";

/** Fields of one write that the server did not apply, and what to do about it. */
interface Noted {
  readonly fields: readonly IgnoredField[];
  readonly hint: string | undefined;
}

/** What is noted of the writes of some work. */
interface Watched {
  /** What it is about, for the failure. */
  what: string | undefined;
  readonly ignored: Noted[];
  /** Of each write whether it changed something. */
  readonly changes: boolean[];
  readonly onWrite: (() => void) | undefined;
}

const watched = new AsyncLocalStorage<Watched>();

/** Notes fields that the server did not apply, for the work that is watched (`trackWrites`); nothing if none is. */
export function noteIgnored(fields: readonly IgnoredField[], hint?: string): void {
  if (fields.length > 0) watched.getStore()?.ignored.push({ fields, hint });
}

/** Notes that a write is sent, for the work that is watched. */
export function noteWrite(): void {
  watched.getStore()?.onWrite?.();
}

/** Notes of a write whether it changed something, for the work that is watched. */
export function noteChange(changed: boolean): void {
  watched.getStore()?.changes.push(changed);
}

/**
 * Whether all writes in the work so far changed nothing: there was nothing to change. Known by the journal, which reads what is there
 * before a write; false if it is switched off.
 */
export function changedNothing(): boolean {
  const { ignored = [], changes = [] } = watched.getStore() ?? {};
  return changes.length > 0 && !changes.includes(true) && ignored.length === 0;
}

/**
 * Does some work, and returns with its value the failure for fields that the server did not apply in its writes: the writes
 * were taken, so what was done is said first. `what` is what they were to be applied to. `unchanged`: none of them changed anything. `onWrite` is
 * called before each write is sent, also of work within that is watched for itself.
 */
export async function trackWrites<T>(
  work: () => Promise<T>,
  what?: string,
  onWrite?: () => void,
): Promise<{ readonly value: T; readonly failure?: Failure; readonly unchanged: boolean }> {
  const outer = watched.getStore();
  const tellAll = () => {
    outer?.onWrite?.();
    onWrite?.();
  };
  return watched.run({ what, ignored: [], changes: [], onWrite: tellAll }, async () => {
    const value = await work();
    const unchanged = changedNothing();
    const failure = ignoredSoFar().length === 0 ? undefined : takeIgnored();
    return failure === undefined ? { value, unchanged } : { value, failure, unchanged };
  });
}

/** The fields that the server did not apply in the work so far. */
export function ignoredSoFar(): readonly IgnoredField[] {
  return (watched.getStore()?.ignored ?? []).flatMap(({ fields }) => fields);
}

/** The names of an edit without those of fields that the server did not apply, also within a record: `internal_tracker.x`. */
export function appliedNames(names: readonly string[]): string[] {
  const ignored = new Set(ignoredSoFar().flatMap(({ name }) => [name, name.slice(name.lastIndexOf(".") + 1)]));
  return names.filter((name) => !ignored.has(name));
}

/** Says what the work so far is about: `label 'bug'`. */
export function nameWork(what: string | undefined): void {
  const store = watched.getStore();
  if (store !== undefined) store.what = what ?? store.what;
}

/** What lists have now that the server did not apply as asked, though an edit replaced them: a line, or none. */
function listsNow(fields: readonly IgnoredField[]): string[] {
  const lists = fields.flatMap(({ name, requested, actual }) =>
    Array.isArray(requested) && (actual === null || Array.isArray(actual))
      ? [`Now ${name} ${actual === null || actual.length === 0 ? "is empty" : `has ${actual.map(nameOf).join(", ")}`}.`]
      : [],
  );
  return lists.length === 0 ? [] : [[...new Set(lists)].join(" ")];
}

function nameOf(item: unknown): string {
  const isUser = typeof item === "object" && item !== null && "login" in item;
  return String(isUser ? item.login : item);
}

/** The failure for fields that the server did not apply, though it took the write. */
export function ignoredError(fields: readonly IgnoredField[], what?: string, hint?: string): Failure {
  const names = [...new Set(fields.map(({ name }) => name))].join(", ");
  const why = hint ?? "The server does not support them, or not with the other settings.";
  return new Failure("ignored", `The server did not apply ${names}${what === undefined ? "" : ` to ${what}`}`, {
    hint: [why, ...listsNow(fields)].join("\n"),
    fields,
  });
}

/** The failure for what was noted, which is not reported again. */
function takeIgnored(): Failure {
  const { what, ignored = [] } = watched.getStore() ?? {};
  const noted = ignored.splice(0);
  const fields = noted.flatMap((one) => one.fields);
  const hints = new Set(noted.flatMap(({ hint }) => hint ?? []));
  return ignoredError(fields, what, hints.size === 0 ? undefined : [...hints].join("\n"));
}
