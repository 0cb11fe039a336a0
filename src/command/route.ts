import { type Group, isGroup, type Load, type Table } from "./table.ts";

/** What the words of a command line lead to. */
export type Route =
  | { readonly to: "command"; readonly words: readonly string[]; readonly load: Load; readonly rest: readonly string[] }
  | { readonly to: "group"; readonly words: readonly string[]; readonly group: Group }
  | { readonly to: "root" }
  | {
      readonly to: "unknown";
      readonly words: readonly string[];
      readonly typed: string;
      readonly known: readonly string[];
    };

/** Global flags whose value is the next word: they may stand before the noun. */
const valued = new Set(["-R", "--repo", "--profile", "--host", "--jq", "--limit", "--color", "--timeout"]);

/** Other words for whole commands, and for verbs under any noun. */
export interface Aliases {
  readonly commands: Readonly<Record<string, string>>;
  readonly verbs: Readonly<Record<string, readonly string[]>>;
}

/** Finds the command in a command line. What is left over, global flags before the noun included, is `rest`. */
export function route(argv: readonly string[], table: Table, aliases: Aliases): Route {
  const before: string[] = [];
  let at = 0;
  for (; at < argv.length && argv[at]?.startsWith("-"); at += 1) {
    const flag = argv[at] ?? "";
    before.push(flag);
    const value = argv[at + 1];
    if (!valued.has(flag) || value === undefined) continue;
    before.push(value);
    at += 1;
  }
  let rest = argv.slice(at);
  const alias = [2, 1]
    .map((length) => rest.slice(0, length).join(" "))
    .find((typed) => Object.hasOwn(aliases.commands, typed) && !isDefined(table, typed));
  if (alias !== undefined)
    rest = [...(aliases.commands[alias] ?? "").split(" "), ...rest.slice(alias.split(" ").length)];

  const words: string[] = [];
  let group: Group = { summary: "", verbs: table };
  for (;;) {
    const typed = rest[0];
    if (typed === undefined || typed.startsWith("-")) {
      if (group.usual !== undefined && typed !== undefined && !isHelp(typed)) {
        const load = group.verbs[group.usual];
        if (load !== undefined && !isGroup(load)) {
          return { to: "command", words: [...words, group.usual], load, rest: [...before, ...rest] };
        }
      }
      return words.length === 0 ? { to: "root" } : { to: "group", words, group };
    }
    const known = Object.keys(group.verbs);
    const name = Object.hasOwn(group.verbs, typed) ? typed : aliases.verbs[typed]?.find((verb) => known.includes(verb));
    const entry = name === undefined ? undefined : group.verbs[name];
    if (name === undefined || entry === undefined) {
      const usual = group.usual === undefined ? undefined : group.verbs[group.usual];
      if (group.usual !== undefined && usual !== undefined && !isGroup(usual)) {
        return { to: "command", words: [...words, group.usual], load: usual, rest: [...before, ...rest] };
      }
      return { to: "unknown", words, typed, known };
    }
    words.push(name);
    rest = rest.slice(1);
    if (!isGroup(entry)) return { to: "command", words, load: entry, rest: [...before, ...rest] };
    group = entry;
  }
}

function isHelp(word: string): boolean {
  return word === "-h" || word === "--help";
}

/** Whether typed words already name a command or noun of the table, so that an alias must not shadow it. */
function isDefined(table: Table, typed: string): boolean {
  const [first = "", second] = typed.split(" ");
  const entry = Object.hasOwn(table, first) ? table[first] : undefined;
  if (entry === undefined || second === undefined) return entry !== undefined;
  return isGroup(entry) && Object.hasOwn(entry.verbs, second);
}
