import { UsageError } from "../failure/failure.ts";

/** A positional argument. `T` is the type that `run` receives; help shows its key in capitals. */
export interface Arg<T> {
  readonly count: "one" | "optional" | "many" | "any";
  readonly description: string;
  readonly read: (typed: readonly string[], name: string) => T;
  /** The repository that the typed value names (a URL); it overrides every other way to select one. */
  readonly locate?: (typed: readonly string[]) => string | undefined;
  /** The valid values, for help and completion. */
  readonly choices?: readonly string[];
}

/** The arguments of a command by key, in the order in which they are typed. */
export type Args = Readonly<Record<string, Arg<unknown>>>;

/** What `run` receives for a set of arguments. */
export type ArgValues<A extends Args> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

/** A required value. */
export function one(description: string): Arg<string> {
  return { count: "one", description, read: (typed) => typed[0] ?? "" };
}

/** An optional value. */
export function optional(description: string): Arg<string | undefined> {
  return { count: "optional", description, read: (typed) => typed[0] };
}

/** One or more values; `readTargets` replaces `-` by the lines of stdin. */
export function many(description: string): Arg<readonly string[]> {
  return { count: "many", description, read: (typed) => typed };
}

/** Any number of values. */
export function any(description: string): Arg<readonly string[]> {
  return { count: "any", description, read: (typed) => typed };
}

/** A required value, one of a fixed set of words. */
export function word<const C extends string>(choices: readonly C[], description: string): Arg<C> {
  const read = (typed: readonly string[], name: string) => {
    const found = choices.find((choice) => choice === typed[0]);
    if (found === undefined)
      throw new UsageError(`Invalid value '${typed[0]}' for ${name}: must be one of ${choices.join(", ")}`);
    return found;
  };
  return { count: "one", description, choices, read };
}
