import { UsageError } from "../failure/failure.ts";

/** One positional argument. `T` is what `run` receives; its name in the help comes from its key, in capitals. */
export interface Arg<T> {
  readonly count: "one" | "optional" | "many" | "any";
  readonly description: string;
  readonly read: (typed: readonly string[], name: string) => T;
  /** The repository that what was typed names by itself (a URL); it wins over every other way to choose one. */
  readonly locate?: (typed: readonly string[]) => string | undefined;
  /** Words for completion. */
  readonly choices?: readonly string[];
}

/** The arguments of a command by their keys, in the order they are typed in. */
export type Args = Readonly<Record<string, Arg<unknown>>>;

/** What `run` receives for a set of arguments. */
export type ArgValues<A extends Args> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

/** One value that must be given. */
export function one(description: string): Arg<string> {
  return { count: "one", description, read: (typed) => typed[0] ?? "" };
}

/** One value that may be left out. */
export function optional(description: string): Arg<string | undefined> {
  return { count: "optional", description, read: (typed) => typed[0] };
}

/** One value or more; `-` reads more of them from stdin, one a line (`targets` in the context does that). */
export function many(description: string): Arg<readonly string[]> {
  return { count: "many", description, read: (typed) => typed };
}

/** Any number of values, none included. */
export function any(description: string): Arg<readonly string[]> {
  return { count: "any", description, read: (typed) => typed };
}

/** One value of a fixed set of words, checked by the parser. */
export function word<const C extends string>(choices: readonly C[], description: string): Arg<C> {
  const read = (typed: readonly string[], name: string) => {
    const found = choices.find((choice) => choice === typed[0]);
    if (found === undefined) throw new UsageError(`${name} is one of ${choices.join(", ")}, not '${typed[0]}'`);
    return found;
  };
  return { count: "one", description, choices, read };
}
