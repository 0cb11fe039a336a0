import { CommanderError, Option, Command as Parser } from "commander";
import { UsageError } from "../failure/failure.ts";
import { checkFields, fieldPaths, hasField } from "../shape/select.ts";
import { fieldsOf } from "../shape/shape.ts";
import { isWellFormed } from "../text/percent.ts";
import { type Flag, type Flags, isGiven, kebab } from "./flags.ts";
import { type GlobalOptions, globalFlags, noOptions } from "./global-flags.ts";
import { usageHint } from "./route.ts";
import { type EntitySource, isHere, nameOf } from "./source.ts";
import type { CommandSpec } from "./spec.ts";

/** A parsed command line. */
export interface Parsed {
  readonly args: Readonly<Record<string, unknown>>;
  /** The first word that was typed for each argument. */
  readonly typed: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly options: GlobalOptions;
  /** The fields of `--json FIELDS`; empty means all fields. */
  readonly fields: readonly string[];
  readonly help: boolean;
  /** The repository that an argument names (a URL). */
  readonly namedRepo: string | undefined;
  /** A missing argument that can be chosen from a list, and the error where that is not possible. */
  readonly missing: MissingArgument | undefined;
}

/** An argument that was not typed. */
export interface MissingArgument {
  readonly key: string;
  /** Its name in the help. */
  readonly name: string;
  readonly source: EntitySource;
  readonly read: (typed: readonly string[]) => unknown;
  readonly error: UsageError;
}

/** Parses the words after a command's name. Throws a usage error that says what is wrong, with the nearest valid flag. */
export function parseCommand(command: CommandSpec, words: readonly string[], typed: readonly string[]): Parsed {
  const line = words.join(" ");
  const broken = typed.find((word) => !isWellFormed(word));
  if (broken !== undefined) throw new UsageError(`${JSON.stringify(broken)} is not valid Unicode`);
  const all: Flags = { ...globalFlags, ...command.flags };
  const bound = [...bindJson(command, typed)];
  const { given, spellings, rest, help } = parseFlags(all, bound, line);
  if (help)
    return {
      args: {},
      typed: {},
      flags: {},
      options: noOptions(),
      fields: [],
      help,
      namedRepo: undefined,
      missing: undefined,
    };

  const values = (flags: Flags): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(flags).map(([key, flag]) => {
        const typed = (given.get(key) ?? []).map((value) => nameOf(flag.source, value, command.effect === "destroy"));
        return [key, flag.read(typed, spelled(key))];
      }),
    );
  const own = ([key]: readonly [string, unknown]) => Object.hasOwn(command.flags, key);
  const effective = Object.fromEntries(Object.entries(globalFlags).filter((entry) => !own(entry)));
  const options = { ...values(effective), ...shadowed(command) } as unknown as GlobalOptions;
  const fields = options.json === undefined ? [] : fieldPaths(options.json);
  if (fields.length > 0) checkFields(command.output, fields);
  refuseClash(options, given, command);
  for (const group of command.exclusive ?? []) {
    const clashing = group.filter((key) => given.has(key)).map((key) => spellings.get(key)?.at(-1) ?? spelled(key));
    if (clashing.length > 1) throw new UsageError(`Specify only one of ${clashing.join(" or ")}`);
  }
  for (const names of spellings.values()) {
    if (names.length > 1) throw new UsageError(`Specify only one of ${names.join(" or ")}`);
  }
  const typedFlags = values(command.flags);
  refuseOpposites(command, typedFlags);
  refuseSwitchedOff(command, typedFlags);
  const dashes = bound.indexOf("--");
  const typedWords = { all: rest, dashed: dashes === -1 ? 0 : bound.length - dashes - 1 };
  const read = readArguments(command, typedWords, line, options.json !== undefined, given);
  return { ...read, flags: typedFlags, options, fields, help };
}

/** Throws a usage error for a value that one flag adds and another one removes. */
function refuseOpposites({ flags }: CommandSpec, values: Readonly<Record<string, unknown>>): void {
  for (const [key, { opposite }] of Object.entries(flags)) {
    if (opposite === undefined) continue;
    const lists = [values[opposite], values[key]].map((list) => (Array.isArray(list) ? list.map(String) : []));
    const [other = [], own = []] = lists;
    const both = own.find((one) => other.some((item) => item.toLowerCase() === one.toLowerCase()));
    if (both !== undefined) throw new UsageError(`'${both}' is in both --${kebab(opposite)} and --${kebab(key)}`);
  }
}

/** Throws a usage error for a flag that sets what another one switches off. */
function refuseSwitchedOff({ flags }: CommandSpec, values: Readonly<Record<string, unknown>>): void {
  for (const [key, { disabledBy = [], form }] of Object.entries(flags)) {
    const off = disabledBy.find((unit) => values[unit] === false);
    if (off === undefined || values[key] === false || !isGiven(values[key], form)) continue;
    throw new UsageError(`--${kebab(key)} sets what --no-${kebab(off)} switches off: specify only one of them`);
  }
}

interface ParsedFlags {
  /** What was typed for each flag, in order, by its key; `true` and `false` for flags without a value. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** How each of them was spelled. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** The arguments. */
  readonly rest: readonly string[];
  readonly help: boolean;
}

/** Separates flags from arguments, by commander. Throws a usage error; `line` are the words of the command. */
function parseFlags(flags: Flags, words: readonly string[], line: string): ParsedFlags {
  const given = new Map<string, string[]>();
  const spellings = new Map<string, string[]>();
  const parser = new Parser(`tongs ${line}`)
    .exitOverride()
    .helpOption(false)
    .allowExcessArguments()
    .configureOutput({ writeOut() {}, writeErr() {} });
  for (const [key, flag] of Object.entries(flags)) {
    const take = (name: string, value: string) => {
      given.set(key, [...(given.get(key) ?? []), value]);
      spellings.set(key, [...new Set([...(spellings.get(key) ?? []), `--${name}`])]);
      return value;
    };
    addFlag(parser, kebab(key), flag, take);
    for (const { name, value, ...alias } of flag.aliases ?? []) {
      if (value === undefined) addFlag(parser, name, { ...alias, form: flag.form }, take);
      else addFlag(parser, name, { ...alias, form: "switch" }, (spelling) => take(spelling, value));
    }
  }
  parser.addOption(new Option("-h, --help"));
  parser.argument("[words...]");
  try {
    parser.parse([...words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw asUsageError(error, flags, line);
    throw error;
  }
  return { given, spellings, rest: parser.args, help: parser.opts()["help"] === true };
}

/** Adds one spelling of a flag; `take` gets it with what was typed. */
function addFlag(
  parser: Parser,
  name: string,
  { form, short }: Pick<Flag<unknown>, "form" | "short">,
  take: (name: string, value: string) => string,
): void {
  const long = `${short === undefined ? "" : `-${short}, `}--${name}`;
  if (form === "value" || form === "values") {
    const value = name === "json" ? "[value]" : "<value>";
    parser.addOption(new Option(`${long} ${value}`).argParser((typed: string) => take(name, typed)));
    return;
  }
  parser.addOption(new Option(long));
  parser.on(`option:${name}`, () => take(name, "true"));
  if (form !== "yes-no") return;
  parser.addOption(new Option(`--no-${name}`));
  parser.on(`option:no-${name}`, () => take(name, "false"));
}

function asUsageError(error: CommanderError, flags: Flags, line: string): UsageError {
  const [, word = "", value] = /unknown option '([^'=]*)(=[^']*)?'/.exec(error.message) ?? [];
  const isKnown = Object.entries(flags).some(
    ([key, { form, aliases = [] }]) =>
      word === spelled(key) ||
      (form === "yes-no" && word === `--no-${kebab(key)}`) ||
      aliases.some(({ name }) => word === `--${name}`),
  );
  if (value !== undefined && isKnown)
    return new UsageError(`Flag '${word}' does not take a value`, usageHint(`tongs ${line}`));
  if (word !== "") {
    // Without its value, which may be a secret.
    const [, near] = /Did you mean ([^?]*)\?/.exec(error.message) ?? [];
    // What is planned from what exists needs no journal.
    if ((word === "--resume" || word === "--journal") && flags["plan"] !== undefined)
      return new UsageError(
        `Unknown flag '${word}'`,
        `Run the same command without ${word}: it continues with what is left.`,
      );
    return new UsageError(
      `Unknown flag '${word}'`,
      near === undefined ? usageHint(`tongs ${line}`) : `Did you mean: ${near}?`,
    );
  }
  const [, flag] = /option '(?:-\w, )?(--\S+) [^']*' argument missing/.exec(error.message) ?? [];
  const message = flag === undefined ? error.message.replace(/^error: /, "") : `Flag '${flag}' requires a value`;
  return new UsageError(message, usageHint(`tongs ${line}`));
}

function spelled(key: string): string {
  return `--${kebab(key)}`;
}

/**
 * Turns `--json` and `--json FIELDS` into `--json=FIELDS`. The next word is read as fields only if it is a
 * known field or has a comma, so that `pr view --json 12` works.
 */
function* bindJson(command: CommandSpec, typed: readonly string[]): Generator<string> {
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index] ?? "";
    if (word === "--") {
      yield* typed.slice(index);
      return;
    }
    if (word !== "--json") {
      yield word;
      continue;
    }
    const next = typed[index + 1];
    const isFields = next !== undefined && !next.startsWith("-") && namesFields(command, next);
    yield `--json=${isFields ? next : ""}`;
    if (isFields) index += 1;
  }
}

function namesFields(command: CommandSpec, word: string): boolean {
  const shape = command.output;
  if (shape === undefined) return false;
  const paths = fieldPaths(word);
  return word.includes(",") || (paths.length > 0 && paths.every((path) => hasField(shape, path)));
}

function refuseClash(options: GlobalOptions, given: ParsedFlags["given"], { flags }: CommandSpec): void {
  const isOne = !Object.hasOwn(flags, "repo");
  if (isOne && new Set(given.get("repo")).size > 1)
    throw new UsageError(
      "Specify only one --repo",
      "To change several, pass a pattern such as 'acme/*', or - for stdin.",
    );
  const forms = ["jsonl", "csv", "jq"].filter((key) => given.has(key));
  if (forms.length > 1) throw new UsageError(`Specify only one of --${forms.join(" or --")}`);
  if (options.all && options.limit !== undefined) throw new UsageError("Specify only one of --limit or --all");
}

/** `dashed`: how many of the words follow `--`. */
function readArguments(
  command: CommandSpec,
  given: { readonly all: readonly string[]; readonly dashed: number },
  line: string,
  json: boolean,
  flags: ParsedFlags["given"],
): Pick<Parsed, "args" | "typed" | "namedRepo" | "missing"> {
  const args: Record<string, unknown> = {};
  const typed: Record<string, string> = {};
  let namedRepo: string | undefined;
  let missing: MissingArgument | undefined;
  const declared = Object.entries(command.args);
  const last = declared.find(([, { afterDashes }]) => afterDashes);
  const end = last === undefined ? given.all.length : given.all.length - given.dashed;
  let rest = given.all.slice(0, end);
  declared.forEach(([key, arg], index) => {
    const name = kebab(key).toUpperCase();
    if (arg.afterDashes) {
      args[key] = arg.read(given.all.slice(end), name);
      return;
    }
    const after = declared
      .slice(index + 1)
      .filter(([, later]) => later.count === "one" || later.count === "many").length;
    const takesAll = arg.count === "many" || arg.count === "any";
    const free = Math.max(0, rest.length - after);
    const count = takesAll ? free : arg.count === "one" ? 1 : Math.min(1, free);
    // A tag that is written to can be one that is not there yet.
    const isExact = command.effect === "destroy" || (command.effect === "write" && arg.source === "branch");
    const mine = rest.slice(0, count).map((word) => nameOf(arg.source, word, isExact));
    const { orFlags } = arg;
    const isRequired = arg.count === "one" || arg.count === "many" || orFlags?.every((flag) => !flags.has(flag));
    if (mine.length === 0 && isRequired) {
      const filters = orFlags?.filter((flag) => command.flags[flag]?.filters).map(spelled);
      const or = filters === undefined ? "" : `, or at least one filter: ${filters.join(", ")}`;
      const error = new UsageError(`Missing argument ${name} (${arg.description})${or}`, usageHint(`tongs ${line}`));
      if (arg.source === undefined || isHere(arg.source) || declared.length > 1) throw error;
      missing = { key, name, source: arg.source, read: (typed) => arg.read(typed, name), error };
      return;
    }
    rest = rest.slice(mine.length);
    namedRepo ??= arg.locate?.(mine);
    args[key] = arg.read(mine, name);
    if (mine[0] !== undefined) typed[key] = mine[0];
  });
  if (rest.length > 0) {
    // The argument may be a typo in the fields of --json.
    const known = !json || command.output === undefined ? "" : Object.keys(fieldsOf(command.output)).join(", ");
    if (last !== undefined) {
      throw new UsageError(`Unexpected argument '${rest[0]}'`, `Pass ${kebab(last[0]).toUpperCase()} after --`);
    }
    const hint = known !== "" ? `Available fields for --json: ${known}` : usageHint(`tongs ${line}`);
    throw new UsageError(`Unexpected argument '${rest[0]}'`, hint);
  }
  return { args, typed, namedRepo, missing };
}

/** Global flags that the command replaces by its own flag of the same name count as not given. */
function shadowed({ flags }: CommandSpec): Record<string, unknown> {
  return Object.fromEntries(Object.entries(noOptions()).filter(([key]) => Object.hasOwn(flags, key)));
}
