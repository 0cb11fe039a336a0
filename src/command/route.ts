import { type Flag, kebab } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import type { CommandSpec } from "./spec.ts";
import { type Group, isGroup, type Load, type Table } from "./table.ts";

/** What a command line selects. */
export type Route<C extends CommandSpec = CommandSpec> =
  | {
      readonly to: "command";
      readonly words: readonly string[];
      readonly load: Load<C>;
      readonly rest: readonly string[];
    }
  /** A noun without a verb, or only flags. */
  | {
      readonly to: "group";
      readonly words: readonly string[];
      readonly group: Group<C>;
      readonly flags: readonly string[];
    }
  | {
      readonly to: "unknown";
      readonly words: readonly string[];
      readonly typed: string;
      readonly group: Group<C>;
      /** The flags before the unknown word, and the words after it. */
      readonly flags: readonly string[];
      readonly rest: readonly string[];
    };

/** Global flags that take the next word as value; they are allowed before the noun and the verb. */
const valued = new Set(
  Object.entries<Flag<unknown>>(globalFlags).flatMap(([key, { form, short }]) =>
    form === "value" && key !== "json" ? [`--${kebab(key)}`, ...(short === undefined ? [] : [`-${short}`])] : [],
  ),
);

/** Other names of commands, and of verbs under every noun. */
export interface Aliases {
  readonly commands: Readonly<Record<string, string>>;
  readonly verbs: Readonly<Record<string, readonly string[]>>;
}

/** Finds the command of a command line. `rest` is everything else, including flags before the noun or verb. */
export async function route<C extends CommandSpec>(
  argv: readonly string[],
  table: Table<C>,
  aliases: Aliases,
): Promise<Route<C>> {
  const top: Group<C> = { summary: "", verbs: async () => table };
  const flags: string[] = [];
  let rest = [...argv];
  let words: string[] = [];
  let group = top;
  for (;;) {
    const verbs = await group.verbs();
    rest = withoutFlags(rest, verbs, flags);
    const typed = rest[0];
    const name = typed === undefined ? undefined : verbNamed(typed, verbs, aliases);
    const entry = name === undefined ? undefined : verbs[name];
    if (name !== undefined && entry !== undefined) {
      words = [...words, name];
      rest = rest.slice(1);
      if (!isGroup(entry)) return { to: "command", words, load: entry, rest: [...flags, ...rest] };
      group = entry;
      continue;
    }
    const alias = typed === undefined ? undefined : [...words, typed].join(" ");
    if (alias !== undefined && Object.hasOwn(aliases.commands, alias)) {
      rest = [...(aliases.commands[alias] ?? "").split(" "), ...rest.slice(1)];
      words = [];
      group = top;
      continue;
    }
    const verb = group.defaultVerb === undefined ? undefined : verbs[group.defaultVerb];
    const meant =
      typed !== undefined || (group.standsAlone && !flags.some(isHelp)) || (flags.length > 0 && !flags.some(isHelp));
    if (group.defaultVerb !== undefined && verb !== undefined && !isGroup(verb) && meant)
      return { to: "command", words: [...words, group.defaultVerb], load: verb, rest: [...flags, ...rest] };
    if (typed === undefined) return { to: "group", words, group, flags };
    return { to: "unknown", words, typed, group, flags, rest: rest.slice(1) };
  }
}

/** Whether a word is the help flag. */
export function isHelp(word: string): boolean {
  return word === "-h" || word === "--help";
}

/** Whether a command line that was not parsed asks for JSON. */
export function namesJson(words: readonly string[]): boolean {
  return words.some((word) => /^--(json|jsonl|jq)(=|$)/.test(word));
}

/** The hint of a usage error: `line` is `tongs pr merge`. */
export function usageHint(line: string): string {
  return `Run '${line} --help' for usage.`;
}

/** Moves leading flags, and the values of global flags, into `flags`; returns the rest. */
function withoutFlags(typed: readonly string[], verbs: Table, flags: string[]): string[] {
  const rest = [...typed];
  while (rest[0]?.startsWith("-")) {
    const flag = rest.shift() ?? "";
    const [next, afterNext] = rest;
    const leads = (word: string | undefined) => word !== undefined && Object.hasOwn(verbs, word);
    if (flag === "--json" && (leads(next) || leads(afterNext))) {
      // Before a noun, --json stands alone or has fields that are followed by the noun.
      flags.push(leads(next) ? "--json=" : `--json=${rest.shift()}`);
      continue;
    }
    flags.push(flag);
    if (valued.has(flag) && next !== undefined) flags.push(rest.shift() ?? "");
  }
  return rest;
}

function verbNamed(typed: string, verbs: Table, aliases: Aliases): string | undefined {
  if (Object.hasOwn(verbs, typed)) return typed;
  const meant = Object.hasOwn(aliases.verbs, typed) ? aliases.verbs[typed] : undefined;
  return meant?.find((verb) => Object.hasOwn(verbs, verb));
}
