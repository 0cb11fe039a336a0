import { type Flag, type Flags, kebab } from "../../command/flags.ts";
import { globalFlags } from "../../command/global-flags.ts";
import type { Aliases } from "../../command/route.ts";
import { topics } from "../../command/topics.ts";
import { fieldsOf } from "../../shape/shape.ts";
import { type CommandNode, type Step, stepsOf } from "../command-nodes.ts";

/** The completions of a value. */
export interface Values {
  readonly words: readonly string[];
  readonly paths?: "file" | "folder";
}

/** A flag for completion. */
export interface FlagWord {
  readonly long: string;
  readonly short?: string | undefined;
  readonly description: string;
  /** The placeholder of its value, if it takes one. */
  readonly takes?: string;
  readonly values: Values;
  /** It may be given more than once. */
  readonly repeats: boolean;
}

/** An argument for completion. */
export interface ArgWord {
  readonly name: string;
  /** Takes all further words. */
  readonly many: boolean;
  readonly optional: boolean;
  readonly values: Values;
}

/** A node of the command table with everything that can be typed there. */
export interface CompletionNode {
  readonly path: string;
  readonly summary: string;
  readonly verbs: CommandNode["verbs"];
  /** The path of the verb for a command line without one. */
  readonly defaultVerb: string | undefined;
  readonly flags: readonly FlagWord[];
  readonly args: readonly ArgWord[];
  /** Field names for `--json`. */
  readonly fields: readonly string[];
}

/** The data for the completion scripts. */
export interface Vocabulary {
  readonly nodes: readonly CompletionNode[];
  readonly steps: readonly Step[];
  /** The global flags. */
  readonly globals: readonly FlagWord[];
  readonly topics: readonly string[];
}

/** Collects the data from the command table. */
export function vocabularyOf(nodes: readonly CommandNode[], aliases: Aliases): Vocabulary {
  return {
    nodes: nodes.map(node),
    steps: stepsOf(nodes, aliases),
    globals: [
      ...flagWords(globalFlags),
      {
        long: "--help",
        short: "-h",
        description: "show help for a noun or verb",
        values: { words: [] },
        repeats: false,
      },
      { long: "--version", description: "show the version", values: { words: [] }, repeats: false },
    ],
    topics: Object.keys(topics),
  };
}

function node({ words, summary, verbs, defaultVerb, command }: CommandNode): CompletionNode {
  return {
    path: words.join(" "),
    summary,
    verbs,
    defaultVerb: defaultVerb === undefined ? undefined : [...words, defaultVerb].join(" "),
    flags: flagWords(command?.flags ?? {}),
    args: Object.entries(command?.args ?? {}).map(([key, arg]) => ({
      name: kebab(key).toUpperCase(),
      many: arg.count === "many" || arg.count === "any",
      optional: arg.count === "optional" || arg.count === "any",
      values: values(arg.choices, kebab(key).toUpperCase()),
    })),
    fields: command?.output === undefined ? [] : Object.keys(fieldsOf(command.output)),
  };
}

function flagWords(flags: Flags): FlagWord[] {
  return Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .flatMap(([key, flag]) => {
      const takes = flag.form === "value" || flag.form === "values" ? placeholder(flag) : undefined;
      const word: FlagWord = {
        long: `--${kebab(key)}`,
        short: flag.short === undefined ? undefined : `-${flag.short}`,
        description: flag.description,
        ...(takes === undefined ? {} : { takes }),
        values: values(flag.choices, takes ?? ""),
        repeats: flag.form === "values",
      };
      const no = { ...word, long: `--no-${kebab(key)}`, short: undefined, description: `opposite of --${kebab(key)}` };
      return flag.form === "yes-no" ? [word, no] : [word];
    });
}

function placeholder(flag: Flag<unknown>): string {
  return (flag.placeholder ?? "WORD").replace(/[[\]]/g, "");
}

function values(choices: readonly string[] | undefined, name: string): Values {
  if (choices !== undefined) return { words: choices };
  if (/^(FILES?|F)$/.test(name)) return { words: [], paths: "file" };
  return /^(DIR|FOLDER)$/.test(name) ? { words: [], paths: "folder" } : { words: [] };
}

/** Groups items with the same content: `[["a", "b"], content]`, in the order of the first item. */
export function grouped<T>(
  items: readonly T[],
  key: (item: T) => string,
  content: (item: T) => string,
): [string[], string][] {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const same = content(item);
    if (same !== "") groups.set(same, [...(groups.get(same) ?? []), key(item)]);
  }
  return [...groups].map(([same, keys]) => [keys, same]);
}
