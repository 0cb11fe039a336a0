import type { CommandSpec } from "./spec.ts";

/** Loads a command: its declaration and its implementation. */
export type Load<C extends CommandSpec = CommandSpec> = () => Promise<C>;

/** A noun and its verbs. */
export interface Group<C extends CommandSpec = CommandSpec> {
  readonly summary: string;
  readonly verbs: Table<C>;
  /** The verb for a command line without one: `tongs star OWNER/NAME`. */
  readonly defaultVerb?: string;
  /** Whether the noun alone means the default verb, too. */
  readonly standsAlone?: boolean;
  /** How to begin, shown in the help before the verbs. */
  readonly details?: string;
}

/** The command table: nouns, and commands of one word. */
export type Table<C extends CommandSpec = CommandSpec> = Readonly<Record<string, Load<C> | Group<C>>>;

export function isGroup<C extends CommandSpec>(entry: Load<C> | Group<C>): entry is Group<C> {
  return typeof entry !== "function";
}

/** Declares a noun. The table of its verbs is made on first use: most command lines use one noun. */
export function noun<C extends CommandSpec>(
  summary: string,
  verbs: () => Table<C>,
  defaultVerb?: string | { readonly verb: string; readonly alone: true },
  details?: string,
): Group<C> {
  let made: Table<C> | undefined;
  return {
    summary,
    get verbs() {
      made ??= verbs();
      return made;
    },
    ...(defaultVerb === undefined
      ? {}
      : typeof defaultVerb === "string"
        ? { defaultVerb }
        : { defaultVerb: defaultVerb.verb, standsAlone: true }),
    ...(details === undefined ? {} : { details }),
  };
}
