import { AsyncLocalStorage } from "node:async_hooks";
import { Failure, type IgnoredField, withHint } from "./failure.ts";

/** Fields of one write that the server did not apply, and what to do about it. */
interface Noted {
  readonly fields: readonly IgnoredField[];
  readonly hint: string | undefined;
}

const watched = new AsyncLocalStorage<Noted[]>();

/** Notes fields that the server did not apply, for the work that is watched (`watchWrites`); nothing if none is. */
export function noteIgnored(fields: readonly IgnoredField[], hint?: string): void {
  if (fields.length > 0) watched.getStore()?.push({ fields, hint });
}

/**
 * Does some work, and returns with its value the failure for fields that the server did not apply in its writes: the writes
 * were taken, so what was done is said first. `what` is what they were to be applied to.
 */
export async function watchWrites<T>(
  work: () => Promise<T>,
  what?: string,
): Promise<{ readonly value: T; readonly failure?: Failure }> {
  return watched.run([], async () => {
    const value = await work();
    const failure = ignoredSoFar().length === 0 ? undefined : takeIgnored(what);
    return failure === undefined ? { value } : { value, failure };
  });
}

/** The fields that the server did not apply in the work so far. */
export function ignoredSoFar(): readonly IgnoredField[] {
  return (watched.getStore() ?? []).flatMap(({ fields }) => fields);
}

/** The names of an edit without those of fields that the server did not apply. */
export function appliedNames(names: readonly string[]): string[] {
  const ignored = new Set(ignoredSoFar().map(({ name }) => name));
  return names.filter((name) => !ignored.has(name));
}

/**
 * Throws if the server did not apply fields to `what` in the work so far. Called after the record is printed. `next` is what
 * to do besides the hints of the operations.
 */
export function requireApplied(what: string, next?: string): void {
  if (ignoredSoFar().length === 0) return;
  const failure = takeIgnored(what);
  throw next === undefined ? failure : withHint(failure, next);
}

/** The failure for fields that the server did not apply, though it took the write. */
export function ignoredError(fields: readonly IgnoredField[], what?: string, hint?: string): Failure {
  const names = [...new Set(fields.map(({ name }) => name))].join(", ");
  return new Failure("ignored", `The server did not apply ${names}${what === undefined ? "" : ` to ${what}`}`, {
    hint: hint ?? "The server does not support them, or not with the other settings.",
    fields,
  });
}

/** The failure for what was noted, which is not reported again. */
function takeIgnored(what: string | undefined): Failure {
  const noted = watched.getStore()?.splice(0) ?? [];
  const hints = noted.flatMap(({ hint }) => hint ?? []);
  return ignoredError(
    noted.flatMap(({ fields }) => fields),
    what,
    hints.length === 0 ? undefined : [...new Set(hints)].join("\n"),
  );
}
