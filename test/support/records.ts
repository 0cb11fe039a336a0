import { appendFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Parsed, parseCommand } from "../../src/command/parse.ts";
import { type Route, route } from "../../src/command/route.ts";
import type { CommandSpec } from "../../src/command/spec.ts";
import { aliases, table } from "../../src/commands/index.ts";
import { contractOf } from "../../src/docs/schema/contract.ts";
import type { Running } from "./requests.ts";

const formats = { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/ };
/** What holds JSON against the schema of a command, by its name; `undefined` for a command that has none. */
const validators = new Map<string, ValidateFunction | undefined>();

/**
 * Throws if what a run printed as JSON is not what `tongs schema` says of its command, unless the test made up an answer of
 * the server. With `TONGS_TEST_REQUESTS=FILE`, appends a line for each run that printed records: `printed`, and the command.
 */
export async function checkRecords(argv: readonly string[], shown: string, { answerers }: Running): Promise<void> {
  // On a terminal, JSON has colors.
  const stdout = stripVTControlCharacters(shown);
  if (stdout === "" || answerers.has("test") || argv[0] === "help") return;
  const found = await route(argv, table, aliases);
  if (found.to !== "command") return;
  const command = await found.load();
  const parsed = parsedOrNot(command, found);
  if (parsed === undefined || !isWhole(parsed)) return;
  if (answerers.size === 0 && (command.on === "server" || command.on === "repository")) return;
  const name = found.words.join(" ");
  const { jsonl } = parsed.options;
  const lines = jsonl ? stdout.split("\n").filter((line) => line.trim() !== "") : [stdout];
  const isItems = jsonl && command.output?.type === "list";
  const validate = validatorOf(name, command);
  if (validate === undefined) {
    if (isJson(stdout)) throw new Error(`tongs schema has no output of tongs ${name}, which printed ${stdout}`);
    return;
  }
  for (const line of lines) {
    const value = JSON.parse(line) as unknown;
    if (validate(isItems ? [value] : value)) continue;
    const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`What tongs ${argv.join(" ")} printed is not what tongs schema says: ${faults.join("; ")}`);
  }
  const { TONGS_TEST_REQUESTS: file } = process.env;
  if (file !== undefined && lines.some((line) => line.trim() !== "[]")) appendFileSync(file, `printed\t${name}\n`);
}

/** What was typed, unless that is a usage error, which a monitoring plugin prints on stdout. */
function parsedOrNot(command: CommandSpec, { words, rest }: Extract<Route, { readonly to: "command" }>) {
  try {
    return parseCommand(command, words, rest);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether whole records are printed as JSON, not the content of a file. */
function isWhole({ flags, options: { json, jsonl, jq, csv, dryRun }, fields, help }: Parsed): boolean {
  if (flags["output"] === "-") return false;
  return (json !== undefined || jsonl) && jq === undefined && !csv && !dryRun && !help && fields.length === 0;
}

function validatorOf(name: string, command: CommandSpec): ValidateFunction | undefined {
  if (!validators.has(name)) {
    const schema = contractOf([{ words: name.split(" "), command }]).commands[0]?.output ?? undefined;
    validators.set(name, schema && new Ajv2020({ strict: false, formats }).compile(schema));
  }
  return validators.get(name);
}
