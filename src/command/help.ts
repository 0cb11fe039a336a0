import { fieldsOf } from "../forge/records/shape.ts";
import type { Arg } from "./args.ts";
import type { Command } from "./define.ts";
import { environment } from "./environment.ts";
import { type ExitName, exitCodes } from "./exit-codes.ts";
import { type Flag, type Flags, kebab } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import { wrap } from "./wrap.ts";

const width = 100;

/** A noun or verb in a list of them. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
}

/** The help of one command, made from its declaration. */
export function commandHelp(words: readonly string[], command: Command): string {
  const parts = [`${command.summary}.`];
  if (command.details !== undefined) parts.push("", wrap(command.details, width));
  parts.push("", "USAGE", `  ${usage(words, command)}`);
  const args = Object.entries(command.args);
  if (args.length > 0) {
    parts.push("", "ARGUMENTS", ...rows(args.map(([key, arg]) => [argumentName(key, arg), arg.description])));
  }
  const flags = flagRows(command.flags);
  if (flags.length > 0) parts.push("", "FLAGS", ...rows(flags));
  const fields = command.output === undefined ? [] : Object.keys(fieldsOf(command.output));
  if (fields.length > 0) parts.push("", "JSON FIELDS", indent(wrap(fields.join(", "), width - 2)));
  const exits = Object.entries(command.exits ?? {}).map(([name, meaning]): [string, string] => [
    String(exitCodes[name as ExitName].code),
    meaning ?? "",
  ]);
  const others: [string, string] = ["", "others: tongs help exit-codes"];
  parts.push("", "EXIT CODES", ...rows([["0", "success"], ...exits, others]));
  parts.push("", "EXAMPLES");
  for (const [what, line] of command.examples) parts.push(`  # ${what}`, `  ${line}`);
  parts.push("", "LEARN MORE", ...rows(more));
  return `${parts.join("\n")}\n`;
}

const more: [string, string][] = [
  ["tongs --help", "the global flags: -R, --profile, --json, --dry-run, …"],
  ["tongs help environment", "the environment variables"],
];

/** `tongs pr merge [PR] [flags]`. */
export function usage(words: readonly string[], command: Command): string {
  const args = Object.entries(command.args).map(([key, arg]) => argumentName(key, arg));
  return ["tongs", ...words, ...args, ...(Object.keys(command.flags).length > 0 ? ["[flags]"] : [])].join(" ");
}

function argumentName(key: string, arg: Arg<unknown>): string {
  const name = kebab(key).toUpperCase();
  return { one: name, optional: `[${name}]`, many: `${name}…`, any: `[${name}…]` }[arg.count];
}

/** The help of a noun. */
export function groupHelp(words: readonly string[], summary: string, verbs: readonly Entry[]): string {
  const line = words.join(" ");
  const listed = rows(verbs.map((verb) => [verb.name, verb.summary]));
  const learn = `  tongs ${line} VERB --help   a verb's arguments, flags, examples and exit codes`;
  return [
    `${summary}.`,
    "",
    "USAGE",
    `  tongs ${line} VERB …`,
    "",
    "VERBS",
    ...listed,
    "",
    "LEARN MORE",
    learn,
    "",
  ].join("\n");
}

/** The help of tongs as a whole. */
export function rootHelp(nouns: readonly Entry[], version: string): string {
  return [
    `tongs ${version}: one command line for Gitea and Forgejo servers, and the collectd metrics beside them.`,
    "",
    "USAGE",
    "  tongs NOUN VERB [arguments] [flags]",
    "",
    "NOUNS",
    ...rows(nouns.map((noun) => [noun.name, noun.summary])),
    "",
    "GLOBAL FLAGS",
    ...rows([...flagRows(globalFlags), ["-h, --help", "help for any noun or verb"], ["    --version", "the version"]]),
    "",
    "EXAMPLES",
    "  # Sign in, see what is open here, merge one",
    "  tongs auth login --host https://git.example.org",
    "  tongs pr list",
    "  tongs pr merge 12 --style rebase",
    "",
    "LEARN MORE",
    ...rows([
      ["tongs NOUN --help", "the verbs of a noun"],
      ["tongs help exit-codes", "what each exit code means"],
      ["tongs help environment", "the environment variables"],
      ["tongs help json", "JSON, JSON lines, CSV and jq"],
    ]),
    "",
  ].join("\n");
}

/** The topics of `tongs help TOPIC`. */
export const topics: Readonly<Record<string, () => string>> = {
  "exit-codes": () => {
    const codes = Object.values(exitCodes).map(({ code, meaning }): [string, string] => [String(code), meaning]);
    return ["Exit codes are never renumbered.", "", "EXIT CODES", ...rows(codes), ""].join("\n");
  },
  environment: () => ["What tongs reads from its environment.", "", "ENVIRONMENT", ...rows(environment), ""].join("\n"),
  json: () => `${jsonTopic}\n`,
};

const jsonTopic = `Records are printed as the server sends them: its own field names and types, nothing renamed or flattened.

FORMS
  --json                 one record as an object, a list as an array (also when empty)
  --json number,title    only these fields; dotted paths reach inside: --json number,user.login
  --jsonl                one record a line, printed as pages arrive
  --csv                  a header and a row a record; --json FIELDS --csv chooses the columns
  --jq EXPR              jq's own language; strings come out bare

RULES
  The word after --json is taken as fields only if it is a comma list of known ones:
  tongs pr list --json and tongs pr view --json 12 both work. --json=FIELDS is always fields.
  Integers beyond 2^53 keep every digit. Errors are one JSON object on stderr:
  {"error":{"code","message","hint","status","method","path","request"}}
  Writes print the record they made.

EXAMPLES
  tongs pr list --json number,title,user.login
  tongs pr list --all --jsonl | while read -r line; do …; done
  tongs pr list --jq '.[] | select(.draft | not) | .number'`;

function flagRows(flags: Flags): [string, string][] {
  return Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .map(([key, flag]) => [flagName(key, flag), flagDescription(flag)]);
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
  const fallback = flag.default === undefined ? "" : ` (${flag.default})`;
  return flag.description + choices + fallback;
}

/** Two columns, the second wrapped. */
export function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(34, Math.max(0, ...pairs.map(([name]) => name.length)));
  return pairs.flatMap(([name, text]) => {
    const lines = wrap(text, Math.max(30, width - left - 4)).split("\n");
    const tooLong = name.length > left;
    const first = tooLong
      ? [`  ${name}`, `  ${" ".repeat(left)}  ${lines[0]}`]
      : [`  ${name.padEnd(left)}  ${lines[0]}`.trimEnd()];
    return [...first, ...lines.slice(1).map((line) => `  ${" ".repeat(left)}  ${line}`)];
  });
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
