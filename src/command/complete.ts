import { fieldsOf } from "../shape/shape.ts";
import type { Arg } from "./args.ts";
import { type Flag, type Flags, kebab } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import { type Aliases, route } from "./route.ts";
import type { Source } from "./source.ts";
import type { CommandSpec } from "./spec.ts";
import { type Group, isGroup, type Table } from "./table.ts";
import { topics } from "./topics.ts";

/** A word that can be inserted, with its description. */
export interface Offer {
  readonly word: string;
  readonly description?: string | undefined;
}

/** What completes the word at the cursor. */
export interface Completion {
  readonly offers: readonly Offer[];
  /** The shell completes files or folders. */
  readonly paths?: "file" | "folder";
  /** The words come from the server or the configuration. */
  readonly source?: Source;
  /** What stands before each word: `--flag=`, or the items before the last comma. */
  readonly before: string;
  /** What the words must begin with. */
  readonly typed: string;
  /** Typing may go on after the word: no space follows it. */
  readonly open?: boolean;
  /** The arguments and flags typed so far, for sources that depend on them. */
  readonly line: TypedLine;
}

/** The arguments and flags that stand before the cursor. */
export interface TypedLine {
  readonly args: readonly string[];
  /** The values of each flag by its key. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** The keys of the flags without a value. */
  readonly switches: ReadonlySet<string>;
}

const emptyLine: TypedLine = { args: [], flags: new Map(), switches: new Set() };

/** Finds what completes the last of `words`, which may be empty. Loads only the command that is typed. */
export async function completionOf(words: readonly string[], table: Table, aliases: Aliases): Promise<Completion> {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? "";
  const helping = before[0] === "help";
  const found = await route(helping ? before.slice(1) : before, table, aliases);
  const none: Completion = { offers: [], before: "", typed, line: emptyLine };
  if (found.to === "unknown") return none;
  if (found.to === "group") {
    const line = readLine(found.flags, globalFlags);
    if (line.pending !== undefined) return { ...valueAt(line.pending, typed), line };
    if (typed.startsWith("-")) return { ...none, ...flagsAt(globalFlags, typed), line };
    const named =
      helping && found.words.length === 0
        ? Object.entries(topics).map(([word, { summary }]) => ({ word, description: summary }))
        : [];
    return { ...none, offers: [...(await verbs(found.group)), ...named], line };
  }
  if (helping) return none;
  const command = await found.load();
  const flags: Flags = { ...globalFlags, ...command.flags };
  const line = readLine(found.rest, flags, command);
  if (line.pending !== undefined) return { ...valueAt(line.pending, typed), line };
  if (!line.ended && /^--[^=]+=/.test(typed)) return { ...attachedValue(flags, command, typed), line };
  if (!line.ended && typed.startsWith("-")) return { ...none, ...flagsAt(flags, typed), line };
  if (found.rest.at(-1) === "--json" && !line.ended) {
    const fields = fieldsAt(command, typed);
    if (matching(fields).length > 0) return { ...fields, line };
  }
  // What is typed before -- is never an argument that follows it.
  const args = Object.entries(command.args).filter(([, { afterDashes }]) => line.ended || !afterDashes);
  const at = args.findIndex(([, arg], index) => index === line.args.length || takesAll(arg));
  const entry = at === -1 || at > line.args.length ? undefined : args[at];
  if (entry === undefined) return { ...none, line };
  return { ...valuesAt(entry[1], kebab(entry[0]).toUpperCase(), typed), line };
}

/** The words of a completion that begin with what was typed; those of a source are given. */
export function matching(completion: Pick<Completion, "offers" | "typed" | "before">): Offer[] {
  return completion.offers
    .filter(({ word }) => word.startsWith(completion.typed))
    .map((offer) => ({ ...offer, word: completion.before + offer.word }));
}

async function verbs(group: Group): Promise<Offer[]> {
  return Promise.all(
    Object.entries(await group.verbs()).map(async ([word, entry]) => ({
      word,
      description: (isGroup(entry) ? entry : await entry()).summary,
    })),
  );
}

interface ReadLine extends TypedLine {
  /** The flag whose value is at the cursor. */
  readonly pending?: Flag<unknown>;
  /** Whether `--` was typed. */
  readonly ended: boolean;
}

/** Reads the words before the cursor. Unlike the parser it accepts an incomplete line. */
function readLine(words: readonly string[], flags: Flags, command?: CommandSpec): ReadLine {
  const args: string[] = [];
  const values = new Map<string, readonly string[]>();
  const switches = new Set<string>();
  let ended = false;
  let pending: readonly [key: string, flag: Flag<unknown>] | undefined;
  const take = (key: string, value: string) => values.set(key, [...(values.get(key) ?? []), value]);
  words.forEach((word, index) => {
    if (pending !== undefined) {
      take(pending[0], word);
      pending = undefined;
    } else if (ended || !/^-./.test(word)) {
      const isFields = words[index - 1] === "--json" && command !== undefined && isFieldList(command, word);
      if (!isFields || ended) args.push(word);
    } else if (word === "--") {
      ended = true;
    } else {
      const [name = "", attached] = word.startsWith("--") ? splitAtEquals(word) : [word.slice(0, 2), word.slice(2)];
      const found = flagNamed(flags, name);
      if (found !== undefined && !takesValue(found[1])) switches.add(found[0]);
      if (found === undefined || !takesValue(found[1]) || found[0] === "json") return;
      if (attached === undefined || (attached === "" && !word.includes("="))) pending = found;
      else take(found[0], attached);
    }
  });
  return { args, flags: values, switches, ended, ...(pending === undefined ? {} : { pending: pending[1] }) };
}

function isFieldList(command: CommandSpec, word: string): boolean {
  return word.includes(",") || (command.output !== undefined && Object.hasOwn(fieldsOf(command.output), word));
}

function splitAtEquals(word: string): [name: string, value: string | undefined] {
  const at = word.indexOf("=");
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function flagNamed(flags: Flags, typed: string): [string, Flag<unknown>] | undefined {
  return Object.entries(flags).find(
    ([key, flag]) => typed === `--${kebab(key)}` || (flag.short !== undefined && typed === `-${flag.short}`),
  );
}

function takesValue({ form }: Flag<unknown>): boolean {
  return form === "value" || form === "values";
}

function takesAll({ count }: Arg<unknown>): boolean {
  return count === "many" || count === "any";
}

/** The value of a flag that stands behind its `=`. */
function attachedValue(flags: Flags, command: CommandSpec, word: string): Omit<Completion, "line"> {
  const [name, typed = ""] = splitAtEquals(word);
  const found = flagNamed(flags, name);
  if (found === undefined || !takesValue(found[1])) return { offers: [], before: "", typed };
  const value = found[0] === "json" ? fieldsAt(command, typed) : valueAt(found[1], typed);
  return { ...value, before: `${name}=${value.before}` };
}

function valueAt(flag: Flag<unknown>, word: string): Omit<Completion, "line"> {
  const name = (flag.placeholder ?? "").replace(/[[\]]/g, "");
  if (flag.separated !== true) return valuesAt(flag, name, word);
  const [before, typed] = atLastComma(word);
  return { ...valuesAt(flag, name, typed), before };
}

function valuesAt(
  { choices, source }: { readonly choices?: readonly string[]; readonly source?: Source },
  name: string,
  typed: string,
): Omit<Completion, "line"> {
  const base = { offers: (choices ?? []).map((word) => ({ word })), before: "", typed };
  if (choices !== undefined) return base;
  if (source !== undefined) return { ...base, source, ...(source === "input" ? { open: true } : {}) };
  if (/^(FILES?|F)$/.test(name)) return { ...base, paths: "file" };
  return /^(DIR|FOLDER)$/.test(name) ? { ...base, paths: "folder" } : base;
}

function fieldsAt(command: CommandSpec, word: string): Omit<Completion, "line"> {
  const [before, typed] = atLastComma(word);
  const fields = command.output === undefined ? [] : Object.keys(fieldsOf(command.output));
  return { offers: fields.map((field) => ({ word: field })), before, typed, open: true };
}

function atLastComma(word: string): [before: string, typed: string] {
  const end = word.lastIndexOf(",") + 1;
  return [word.slice(0, end), word.slice(end)];
}

function flagsAt(flags: Flags, typed: string): Pick<Completion, "offers" | "typed" | "before"> {
  const offers = Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .flatMap(([key, flag]): Offer[] => {
      const { description } = flag;
      const short = flag.short === undefined ? [] : [{ word: `-${flag.short}`, description }];
      const no = { word: `--no-${kebab(key)}`, description: `opposite of --${kebab(key)}` };
      return [...short, { word: `--${kebab(key)}`, description }, ...(flag.form === "yes-no" ? [no] : [])];
    });
  return { offers: [...offers, { word: "--help", description: "show help" }], before: "", typed };
}
