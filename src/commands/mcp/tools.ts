import type { Arg } from "../../command/args.ts";
import { type Flag, kebab } from "../../command/flags.ts";
import type { CommandSpec, Effect } from "../../command/spec.ts";
import type { Table } from "../../command/table.ts";
import { allCommands } from "../../command/write-help.ts";
import { type JsonSchema, schemaOfArg, schemaOfFlag } from "../../docs/schema/json-schema.ts";
import { UsageError } from "../../failure/failure.ts";

/** A command as an MCP tool. */
export interface CommandTool {
  readonly name: string;
  readonly words: readonly string[];
  readonly command: CommandSpec;
  /** What it may do: the declared effect, or what the declaration says of the tool. */
  readonly effect: Effect;
  /** Whether it has the flags and arguments that name files. */
  readonly hasFiles: boolean;
}

/** What the tools may do. */
export type Allowed = "read" | "write" | "destroy";

/**
 * The tools for a command table, in its order. `only` are nouns; empty means all. Throws a usage error for an unknown
 * one.
 */
export async function commandTools(
  table: Table,
  {
    only,
    allowed,
    hasFiles = false,
  }: { readonly only: readonly string[]; readonly allowed: Allowed; readonly hasFiles?: boolean },
): Promise<CommandTool[]> {
  const unknown = only.find((noun) => !Object.hasOwn(table, noun));
  if (unknown !== undefined) {
    throw new UsageError(`Unknown noun '${unknown}' in --only`, `Available: ${Object.keys(table).join(", ")}`);
  }
  const chosen = Object.entries(table).filter(([noun]) => only.length === 0 || only.includes(noun));
  const commands = await allCommands(Object.fromEntries(chosen));
  return commands.flatMap(({ words, command }) => {
    const effect = toolEffect(command);
    return effect !== "none" && levels.indexOf(effect) <= levels.indexOf(allowed) && canRun(command, hasFiles)
      ? [{ name: words.join("_").replaceAll("-", "_"), words, command, effect, hasFiles }]
      : [];
  });
}

/** Whether all arguments that a command requires can be given, and it needs no files that it must not use. */
function canRun({ args, usesFiles }: CommandSpec, hasFiles: boolean): boolean {
  const required = Object.values(args).filter(({ count }) => count === "one" || count === "many");
  return (usesFiles !== true || hasFiles) && required.every((arg) => access(arg, hasFiles) !== "none");
}

/** Of what a flag or argument names outside of the server, a tool has files at most, or only `-`: stdin and stdout. */
function access({ names, dash }: Arg<unknown> | Flag<unknown>, hasFiles: boolean): "all" | "-" | "none" {
  if (names === undefined) return "all";
  if (names !== "input file" && names !== "output file") return "none";
  if (hasFiles) return "all";
  return dash === undefined ? "none" : "-";
}

const levels: readonly Effect[] = ["read", "write", "destroy"];

/** What a command may do as a tool. What is stored on this machine, such as profiles, is not for tools to change. */
function toolEffect({ asTool, effect, on }: CommandSpec): Effect | "none" {
  const isOfThisMachine = on === "profiles" || on === "nothing";
  return asTool ?? (isOfThisMachine && effect !== "read" ? "none" : effect);
}

/** Arguments of every tool. */
const common = {
  fields: { type: "array", items: { type: "string" }, description: "only these fields of the records" },
  limit: { type: "integer", minimum: 1, description: "maximum number of items to list (default: 30)" },
  all: { type: "boolean", description: "list all items" },
};
const ofWrites = {
  "dry-run": { type: "boolean", description: "return the first write request instead of sending it" },
  yes: { type: "boolean", description: "confirm the action; without it, a destructive tool is a dry run" },
};
const fromStdin = { stdin: { type: "string", description: "text for flags and arguments that read stdin" } };

/** The arguments of a tool that are not declared by its command. */
function addedArguments({ args, flags }: CommandSpec, effect: Effect): Readonly<Record<string, JsonSchema>> {
  const readsStdin =
    Object.values(flags).some((flag) => flag.readsStdin === true) ||
    [...Object.values(args), ...Object.values(flags)].some(({ dash }) => dash === "stdin" || dash === "lines");
  return { ...common, ...(effect === "read" ? {} : ofWrites), ...(effect !== "read" || readsStdin ? fromStdin : {}) };
}

/** The declaration of a tool for clients. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
    readonly additionalProperties?: boolean;
  };
  readonly annotations: { readonly title?: string; readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
}

/** The declaration of the tool of a command. */
export function declared(tool: CommandTool): ToolDeclaration {
  const { name, command, effect } = tool;
  return {
    name,
    description: command.details === undefined ? command.summary : `${command.summary}\n\n${command.details}`,
    inputSchema: inputSchema(tool),
    annotations: { title: command.summary, readOnlyHint: effect === "read", destructiveHint: effect === "destroy" },
  };
}

function inputSchema(tool: CommandTool): ToolDeclaration["inputSchema"] {
  const { command, effect } = tool;
  const args = shownArgs(tool);
  const limited = (value: Arg<unknown> | Flag<unknown>, schema: JsonSchema): JsonSchema => {
    if (access(value, tool.hasFiles) === "all") return schema;
    return schema["type"] === "array"
      ? { ...schema, items: { type: "string", enum: ["-"] } }
      : { ...schema, enum: ["-"] };
  };
  const flags = shownFlags(tool).map(([key, flag]): [string, JsonSchema] => [
    kebab(key),
    limited(flag, flagSchema(key, flag)),
  ]);
  return {
    type: "object",
    properties: {
      ...addedArguments(command, effect),
      ...Object.fromEntries(flags),
      ...Object.fromEntries(args.map(([key, arg]) => [argName(command, key), limited(arg, schemaOfArg(arg))])),
    },
    required: args.filter(([, { count }]) => count === "one" || count === "many").map(([key]) => argName(command, key)),
    additionalProperties: false,
  };
}

function flagSchema(key: string, flag: Flag<unknown>): JsonSchema {
  const { short: _short, negated: _negated, ...schema } = schemaOfFlag(key, flag);
  return schema;
}

/** The flags of a tool: not those that open the browser of the user, or name what is not for tools. */
function shownFlags({ command, hasFiles }: CommandTool): [string, Flag<unknown>][] {
  return Object.entries(command.flags).filter(
    ([, flag]) => flag.hidden !== true && flag.opensBrowser !== true && access(flag, hasFiles) !== "none",
  );
}

/** The arguments of a tool. */
function shownArgs({ command, hasFiles }: CommandTool): [string, Arg<unknown>][] {
  return Object.entries(command.args).filter(([, arg]) => access(arg, hasFiles) !== "none");
}

/** An argument that is named like a flag gets another name. */
function argName(command: CommandSpec, key: string): string {
  const name = kebab(key);
  const isAdded = [common, ofWrites, fromStdin].some((added) => Object.hasOwn(added, name));
  return Object.hasOwn(command.flags, key) || isAdded ? `${name}-argument` : name;
}

/**
 * The command line for a call: the flags, those in `fixed` last, and the arguments after `--`. Throws a usage error that
 * names the argument.
 */
export function commandLine(
  tool: CommandTool,
  given: Readonly<Record<string, unknown>>,
  fixed: readonly string[],
): string[] {
  const { command, effect, words } = tool;
  const flags = new Map(shownFlags(tool).map(([key, flag]) => [kebab(key), flag]));
  const args = new Map(shownArgs(tool).map(([key, arg]) => [argName(command, key), arg]));
  const added = addedArguments(command, effect);
  const known = new Set([...flags.keys(), ...args.keys(), ...Object.keys(added)]);
  const line: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name)) {
      const selected = name === "repo" ? "The repository is selected by tongs mcp serve -R OWNER/NAME. " : "";
      throw new UsageError(`Unknown argument '${name}'`, `${selected}Available: ${[...known].join(", ")}`);
    }
    const flag = flags.get(name);
    if (flag === undefined && !args.has(name)) requireType(name, value, added[name]);
    refuseFile(tool, name, value, flag ?? args.get(name));
    if (value !== undefined && value !== null && flag !== undefined) line.push(...flagWords(name, flag, value));
  }
  line.push(...commonWords(given, flags));
  const wanted = effect === "read" ? [] : safetyWords(effect, given, flags);
  const hasDashed = Object.values(command.args).some(({ afterDashes }) => afterDashes);
  const typed = [...args].map(([name, arg]) => ({ name, arg, words: argWords(name, arg, given[name]) }));
  const before = typed.filter(({ arg }) => hasDashed && !arg.afterDashes);
  for (const { name, words } of before) {
    const flag = words.find((word) => word.startsWith("-"));
    if (flag !== undefined) throw new UsageError(`Argument '${name}' cannot be '${flag}'`);
  }
  const after = typed.filter((one) => !before.includes(one));
  const wordsOf = (some: typeof typed) => some.flatMap((one) => one.words);
  return [...words, ...line, ...wanted, ...fixed, "--no-input", ...wordsOf(before), "--", ...wordsOf(after)];
}

/** Throws a usage error for a value of another type: `"dry-run": "true"` must not be a write. */
function requireType(name: string, value: unknown, { type }: JsonSchema = {}): void {
  if (value === undefined || (value === null && type !== "boolean")) return;
  if (type === "boolean" && typeof value !== "boolean") throw notBoolean(name);
  if (type === "string" && typeof value !== "string") throw new UsageError(`Argument ${name} must be text`);
}

function notBoolean(name: string): UsageError {
  return new UsageError(`Argument ${name} must be true or false`);
}

/** Throws a usage error for a file where only stdin or stdout is possible. */
function refuseFile({ hasFiles }: CommandTool, name: string, value: unknown, of?: Arg<unknown> | Flag<unknown>): void {
  if (of === undefined || access(of, hasFiles) === "all" || value === undefined || value === null) return;
  if (strings(name, value).every((one) => one === "-")) return;
  throw new UsageError(`Argument ${name} must be -: tools have no access to files`, "Run: tongs mcp serve --files DIR");
}

type Shadowing = ReadonlyMap<string, unknown>;

function commonWords(given: Readonly<Record<string, unknown>>, flags: Shadowing): string[] {
  const { fields, limit, all } = given;
  const names = fields === undefined || flags.has("fields") ? [] : strings("fields", fields);
  return [
    `--json=${names.join(",")}`,
    ...(limit === undefined || flags.has("limit") ? [] : [`--limit=${single("limit", limit)}`]),
    ...(all === true && !flags.has("all") ? ["--all"] : []),
  ];
}

/** Without `yes: true` a destructive tool is a dry run. */
function safetyWords(effect: Effect, given: Readonly<Record<string, unknown>>, flags: Shadowing): string[] {
  if (flags.has("dry-run") || flags.has("yes")) throw new Error("a flag replaces --dry-run or --yes");
  const isDry = given["dry-run"] === true || (effect === "destroy" && given["yes"] !== true);
  return [...(isDry ? ["--dry-run"] : []), ...(given["yes"] === true ? ["--yes"] : [])];
}

function flagWords(name: string, flag: Flag<unknown>, value: unknown): string[] {
  if (flag.form === "value") return [`--${name}=${single(name, value)}`];
  if (flag.form === "values") {
    // An item of an array is whole, whatever it holds.
    const isWhole = flag.separated === true && Array.isArray(value);
    return strings(name, value).map((one) => `--${name}=${isWhole ? `"${one.replaceAll('"', '""')}"` : one}`);
  }
  if (typeof value !== "boolean") throw notBoolean(name);
  if (value) return [`--${name}`];
  return flag.form === "yes-no" ? [`--no-${name}`] : [];
}

function argWords(name: string, arg: Arg<unknown>, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return arg.count === "one" || arg.count === "optional" ? [single(name, value)] : strings(name, value);
}

function single(name: string, value: unknown): string {
  // JSON was read as doubles: the number that was meant is lost.
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new UsageError(`Argument ${name}: the number ${value} is too large to be exact`);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new UsageError(`Argument ${name} must be one value`);
}

function strings(name: string, value: unknown): string[] {
  return Array.isArray(value) ? value.map((one) => single(name, one)) : [single(name, value)];
}
