import type { CommandSpec } from "./spec.ts";

/** Loads a command: its declaration and its implementation. */
export type Load<C extends CommandSpec = CommandSpec> = () => Promise<C>;

/** A noun and its verbs. */
export interface Group<C extends CommandSpec = CommandSpec> {
  readonly summary: string;
  /** Loads the table of the verbs, which only command lines with this noun need. */
  readonly verbs: () => Promise<Table<C>>;
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

/** A noun, from what loads the file with its verbs: `noun("Manage labels", () => import("./label/label.ts"))`. */
export function noun<C extends CommandSpec>(
  summary: string,
  load: () => Promise<{ readonly verbs: Table<C> }>,
  more: Omit<Group<C>, "summary" | "verbs"> = {},
): Group<C> {
  return { summary, ...more, verbs: async () => (await load()).verbs };
}
