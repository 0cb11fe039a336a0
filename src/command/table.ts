import type { CommandSpec } from "./spec.ts";

/** Loads one command's declaration, and its implementation with it. */
export type Load<C extends CommandSpec = CommandSpec> = () => Promise<C>;

/** A noun and its verbs. */
export interface Group<C extends CommandSpec = CommandSpec> {
  readonly summary: string;
  readonly verbs: Table<C>;
  /** The verb that is meant when none of them was typed but something else was: `tongs star OWNER/NAME`. */
  readonly defaultVerb?: string;
}

/** The whole table: nouns, and commands that are one word. */
export type Table<C extends CommandSpec = CommandSpec> = Readonly<Record<string, Load<C> | Group<C>>>;

export function isGroup<C extends CommandSpec>(entry: Load<C> | Group<C>): entry is Group<C> {
  return typeof entry !== "function";
}

/** Declares a noun. Its verbs are made when it is asked for them: most starts ask one noun. */
export function noun<C extends CommandSpec>(summary: string, verbs: () => Table<C>, defaultVerb?: string): Group<C> {
  let made: Table<C> | undefined;
  return {
    summary,
    get verbs() {
      made ??= verbs();
      return made;
    },
    ...(defaultVerb === undefined ? {} : { defaultVerb }),
  };
}
