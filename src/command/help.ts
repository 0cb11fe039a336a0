import { type ExitName, exitCodes, pluginExits } from "../failure/exit-codes.ts";
import { fieldsOf } from "../shape/shape.ts";
import { shellLines, wrap } from "../text/format.ts";
import type { Arg } from "./args.ts";
import { type Flag, type Flags, kebab } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import type { CommandSpec } from "./spec.ts";

/** The width of help texts in columns, unless a terminal is narrower or wider. */
export const defaultWidth = 80;
/** The largest width: longer lines are hard to read. */
const largestWidth = 100;

/** The width of help texts for a terminal. */
export function helpWidth(columns: number | undefined): number {
  return columns === undefined ? defaultWidth : Math.min(columns, largestWidth);
}

/** A noun or verb in a list of them. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
}

type Row = readonly [name: string, text: string];

/** The help text of a command. */
export function commandHelp(words: readonly string[], command: CommandSpec, width = defaultWidth): string {
  const fields = fieldNames(command);
  return [
    ...[wrap(`${command.summary}.`, width), ""],
    ...(command.details === undefined ? [] : [wrap(command.details, width), ""]),
    ...(command.effect === "destroy" ? [wrap(promptLine(command), width), ""] : []),
    ...section("USAGE", hanging(usage(words, command), width)),
    ...section("ARGUMENTS", rows(argumentRows(command), width)),
    ...section("FLAGS", rows(flagRows(command.flags), width)),
    ...section("GLOBAL FLAGS", [indent(wrap(globalNames(command), width - 2)), "  See: tongs --help"]),
    ...section("JSON FIELDS", fields.length === 0 ? [] : [indent(wrap(fields.join(", "), width - 2))]),
    ...section("EXIT CODES", rows([...exitRows(command), ["…", "see: tongs help exit-codes"]], width)),
    ...section("EXAMPLES", exampleLines(command.examples, width)),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

function promptLine({ prompts }: CommandSpec): string {
  return `Prompts for confirmation${prompts === undefined ? "" : ` ${prompts}`}, unless --yes is given.`;
}

/** `tongs pr merge [PR] [flags]`. */
export function usage(words: readonly string[], command: CommandSpec): string {
  const args = Object.entries(command.args).map(([key, arg]) => argumentName(key, arg));
  return ["tongs", ...words, ...args, ...(Object.keys(command.flags).length > 0 ? ["[flags]"] : [])].join(" ");
}

/** The help text of a noun. */
export function groupHelp(
  words: readonly string[],
  { summary, details }: { readonly summary: string; readonly details?: string | undefined },
  verbs: readonly Entry[],
  width = defaultWidth,
): string {
  const line = words.join(" ");
  return [
    ...[wrap(`${summary}.`, width), ""],
    ...(details === undefined ? [] : [wrap(details, width), ""]),
    ...section("USAGE", hanging(`tongs ${line} VERB [arguments] [flags]`, width)),
    ...section(
      "VERBS",
      rows(
        verbs.map((verb) => [verb.name, verb.summary]),
        width,
      ),
    ),
    ...section(
      "LEARN MORE",
      rows([[`tongs ${line} VERB --help`, "show its arguments, flags, exit codes and examples"]], width),
    ),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

/** The help text of tongs. */
export function rootHelp(
  nouns: readonly Entry[],
  topics: readonly Entry[],
  version: string,
  width = defaultWidth,
): string {
  return [
    wrap(`tongs ${version}: the command line for Gitea and Forgejo servers.`, width),
    "",
    ...section("USAGE", hanging("tongs NOUN VERB [arguments] [flags]", width)),
    ...section(
      "NOUNS",
      rows(
        nouns.map((noun) => [noun.name, noun.summary]),
        width,
      ),
    ),
    ...section(
      "GLOBAL FLAGS",
      rows(
        [
          ...flagRows(globalFlags),
          ["-h, --help", "show help for a noun or verb"],
          ["    --version", "show the version"],
        ],
        width,
      ),
    ),
    ...section(
      "EXAMPLES",
      exampleLines(
        [
          ["Sign in to a server", "tongs auth login --host https://git.example.org"],
          [
            "List the open pull requests of a clone, and merge one",
            "tongs pr list\n  tongs pr merge 12 --style rebase",
          ],
          ["Try tongs without a server", "tongs sandbox"],
        ],
        width,
      ),
    ),
    ...section(
      "HELP TOPICS",
      rows(
        topics.map((topic) => [topic.name, topic.summary]),
        width,
      ),
    ),
    ...section(
      "LEARN MORE",
      rows(
        [
          ["tongs NOUN --help", "list the verbs of a noun"],
          ["tongs NOUN VERB --help", "show the arguments, flags, exit codes and examples of a verb"],
          ["tongs help TOPIC", "show a help topic"],
        ],
        width,
      ),
    ),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}

/** A heading with its lines; nothing when there are no lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ""];
}

/** The arguments of a command with their descriptions. */
export function argumentRows(command: CommandSpec): Row[] {
  return Object.entries(command.args).map(([key, arg]) => {
    const among = arg.choices === undefined ? "" : `: ${arg.choices.join(", ")}`;
    return [argumentName(key, arg), arg.description + among];
  });
}

/** Flags with their descriptions, without hidden flags. */
export function flagRows(flags: Flags): Row[] {
  return Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .map(([key, flag]) => [flagName(key, flag), flagDescription(flag)]);
}

/** The exit codes that a command describes, in numerical order. */
export function ownExits({
  exits = {},
  plugin = false,
}: CommandSpec): { code: number; name: string; meaning: string }[] {
  if (plugin) return Object.entries(pluginExits).map(([name, exit]) => ({ name, ...exit }));
  const described = Object.entries(exits).map(([name, meaning = ""]) => {
    return { code: exitCodes[name as ExitName].code, name, meaning };
  });
  return described.sort((one, other) => one.code - other.code);
}

/** The rows of the exit codes, success among them. */
export function exitRows(command: CommandSpec): Row[] {
  const own = ownExits(command).map(({ code, meaning }): Row => [String(code), meaning]);
  return own.some(([code]) => code === "0") ? own : [["0", "success"], ...own];
}

/** The field names that `--json` accepts. */
export function fieldNames(command: CommandSpec): string[] {
  return command.output === undefined ? [] : Object.keys(fieldsOf(command.output));
}

function argumentName(key: string, arg: Arg<unknown>): string {
  const name = kebab(key).toUpperCase();
  const shown = { one: name, optional: `[${name}]`, many: `${name}…`, any: `[${name}…]` }[arg.count];
  return arg.afterDashes ? shown.replace(name, `-- ${name}`) : shown;
}

function flagName(key: string, flag: Flag<unknown>): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const long = flag.form === "yes-no" ? `--[no-]${kebab(key)}` : `--${kebab(key)}`;
  const takes = flag.form === "value" || flag.form === "values";
  const value = takes ? ` ${flag.placeholder ?? "WORD"}${flag.form === "values" ? "…" : ""}` : "";
  return short + long + value;
}

function flagDescription(flag: Flag<unknown>): string {
  const choices = flag.choices === undefined ? "" : `: ${flag.choices.join(", ")}`;
  const fallback = flag.default === undefined ? "" : ` (default: ${flag.default})`;
  return flag.description + choices + fallback;
}

function globalNames({ flags }: CommandSpec): string {
  return Object.entries(globalFlags)
    .filter(([key]) => !Object.hasOwn(flags, key))
    .map(([key, flag]) => (flag.short === undefined ? `--${kebab(key)}` : `-${flag.short}, --${kebab(key)}`))
    .join(", ");
}

function exampleLines(examples: CommandSpec["examples"], width: number): string[] {
  return examples.flatMap(([what, line]) => [
    ...wrap(what, width - 4)
      .split("\n")
      .map((part) => `  # ${part}`),
    ...line.split("\n").flatMap((part) => shellLines(part.trim(), width)),
  ]);
}

/** A usage line, indented; further lines are indented more. */
function hanging(line: string, width: number): string[] {
  return wrap(line, Math.max(20, width - 4))
    .split("\n")
    .map((part, index) => `${index === 0 ? "  " : "    "}${part}`);
}

/** Two columns; the second one is wrapped. */
export function rows(pairs: readonly Row[], width = defaultWidth): string[] {
  const longest = Math.max(0, ...pairs.map(([name]) => name.length));
  const left = Math.min(30, longest, width < 60 ? 8 : 30);
  return pairs.flatMap(([name, text]) => {
    const lines = wrap(text, width - left - 4).split("\n");
    const beside = name.length <= left;
    const first = beside ? [`  ${name.padEnd(left)}  ${lines[0]}`.trimEnd()] : [`  ${name}`];
    return [...first, ...lines.slice(beside ? 1 : 0).map((line) => `  ${" ".repeat(left)}  ${line}`)];
  });
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}
