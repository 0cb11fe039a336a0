import type { Command } from "./define.ts";

/** Loads one command's declaration, and its implementation with it. */
export type Load = () => Promise<Command>;

/** A noun and its verbs. */
export interface Group {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Load | Group>>;
  /** The verb that is meant when none of them was typed but something else was: `tongs star OWNER/NAME`. */
  readonly usual?: string;
}

/** The whole table: nouns, and commands that are one word. */
export type Table = Readonly<Record<string, Load | Group>>;

export function isGroup(entry: Load | Group): entry is Group {
  return typeof entry !== "function";
}

/** Declares a noun. Its verbs are made when it is asked for them: most starts ask one noun. */
export function noun(summary: string, verbs: () => Group["verbs"], usual?: string): Group {
  let made: Group["verbs"] | undefined;
  return {
    summary,
    get verbs() {
      made ??= verbs();
      return made;
    },
    ...(usual === undefined ? {} : { usual }),
  };
}
