import { UsageError } from "../failure/failure.ts";
import { type Dash, type Named, type Source, withDash } from "./source.ts";

/** A positional argument. `T` is the type that `run` receives; help shows its key in capitals. */
export interface Arg<T> {
  readonly count: "one" | "optional" | "many" | "any";
  readonly description: string;
  readonly read: (typed: readonly string[], name: string) => T;
  /** The repository that the typed value names (a URL); it overrides every other way to select one. */
  readonly locate?: (typed: readonly string[]) => string | undefined;
  /** The valid values, for help and completion. */
  readonly choices?: readonly string[];
  /** What it names: completion finds the values there, and on a terminal a missing one is chosen from them. */
  readonly source?: Source;
  /** What it names outside of the server. */
  readonly names?: Named;
  /** What `-` stands for; part of the description. */
  readonly dash?: Dash;
  /** Of any number: the flags that stand in for it. If none of them is given, it is required. */
  readonly orFlags?: readonly string[];
  /** Whether it narrows a list, as a flag can. */
  readonly filters?: true;
  /** Whether it is what follows `--`, and nothing before that. */
  readonly afterDashes?: true;
}

/** Options of an argument. */
export type ArgOptions = Pick<Arg<unknown>, "source" | "names" | "locate" | "dash" | "filters" | "afterDashes">;

/** The arguments of a command by key, in the order in which they are typed. */
export type Args = Readonly<Record<string, Arg<unknown>>>;

/** What `run` receives for a set of arguments. */
export type ArgValues<A extends Args> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

/** A required value. */
export function one(description: string, options: ArgOptions = {}): Arg<string> {
  return {
    ...options,
    count: "one",
    description: withDash(description, options.dash),
    read: (typed) => typed[0] ?? "",
  };
}

/** An optional value. */
export function optional(description: string, options: ArgOptions = {}): Arg<string | undefined> {
  return { ...options, count: "optional", description: withDash(description, options.dash), read: (typed) => typed[0] };
}

/** One or more values. */
export function many(description: string, options: ArgOptions = {}): Arg<readonly string[]> {
  return { ...options, count: "many", description: withDash(description, options.dash), read: (typed) => typed };
}

/** Any number of values. */
export function any(description: string, options: ArgOptions = {}): Arg<readonly string[]> {
  return { ...options, count: "any", description: withDash(description, options.dash), read: (typed) => typed };
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
