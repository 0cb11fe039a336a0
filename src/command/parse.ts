import { UsageError } from "../failure/failure.ts";
import { checkFields, fieldPaths, hasField } from "../shape/select.ts";
import { fieldsOf } from "../shape/shape.ts";
import { type Flag, type Flags, kebab } from "./flags.ts";
import { type GlobalOptions, globalFlags } from "./global-flags.ts";
import { NotPlain, quickScan, type Scan } from "./scan.ts";
import type { CommandSpec } from "./spec.ts";

/** A command line, understood. */
export interface Parsed {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly options: GlobalOptions;
  /** The fields of `--json FIELDS`; empty means the whole record. */
  readonly fields: readonly string[];
  readonly help: boolean;
  /** The repository that an argument names by itself (a URL). */
  readonly namedRepo: string | undefined;
}

/** Reads the words after a command's name, by the parser where the quick scan leaves them to it. */
export async function readLine(
  command: CommandSpec,
  words: readonly string[],
  typed: readonly string[],
): Promise<Parsed> {
  try {
    return parseCommand(command, words, typed, quickScan);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    const { fullScan } = await import("./parser.ts");
    return parseCommand(command, words, typed, fullScan);
  }
}

/** Reads the words after a command's name. Throws a usage error that names what is wrong, and the nearest that is right. */
export function parseCommand(
  command: CommandSpec,
  words: readonly string[],
  typed: readonly string[],
  scan: Scan = quickScan,
): Parsed {
  const line = words.join(" ");
  const scanned = scan({ ...globalFlags, ...command.flags }, [...bindJson(command, typed)], line);
  const { collected, help } = scanned;
  if (help) return { args: {}, flags: {}, options: emptyOptions(), fields: [], help, namedRepo: undefined };

  const values = (flags: Flags): Record<string, unknown> => {
    const result: Record<string, unknown> = {};
    for (const [key, flag] of Object.entries(flags))
      result[key] = flag.read(collected.get(key) ?? [], `--${kebab(key)}`);
    return result;
  };
  const options = { ...values(globalFlags), ...shadowed(command) } as unknown as GlobalOptions;
  const fields = options.json === undefined ? [] : fieldPaths(options.json);
  if (fields.length > 0) checkFields(command.output, fields);
  refuseClash(options, collected);
  for (const group of command.exclusive ?? []) {
    const given = group.filter((key) => collected.has(key));
    if (given.length > 1)
      throw new UsageError(`${given.map((key) => `--${kebab(key)}`).join(" and ")} exclude each other`);
  }
  const { args, namedRepo } = readArguments(command, scanned.args, line, options.json !== undefined);
  return { args, flags: values(command.flags), options, fields, help, namedRepo };
}

/**
 * `--json FIELDS` takes the next word only if that is a comma list of known fields, so that `pr view --json 12` works
 * (every form is turned into `--json=FIELDS`). A list of which some are known is a mistyped one, and is taken too.
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
  if (shape === undefined || !/^[\w.]+(,[\w.]+)*,?$/.test(word)) return false;
  const paths = fieldPaths(word);
  const known = paths.filter((path) => hasField(shape, path));
  if (known.length === paths.length) return known.length > 0;
  return paths.length > 1 && known.length > 0;
}

function refuseClash(options: GlobalOptions, collected: ReadonlyMap<string, unknown>): void {
  const forms = ["jsonl", "csv", "jq"].filter((key) => collected.has(key));
  if (forms.length > 1) throw new UsageError(`--${forms.join(" and --")} exclude each other`);
  if (options.all && options.limit !== undefined) throw new UsageError("--limit and --all exclude each other");
}

function readArguments(
  command: CommandSpec,
  given: readonly string[],
  line: string,
  json: boolean,
): { args: Record<string, unknown>; namedRepo: string | undefined } {
  const args: Record<string, unknown> = {};
  let namedRepo: string | undefined;
  let rest = [...given];
  const declared = Object.entries(command.args);
  declared.forEach(([key, arg], index) => {
    const name = kebab(key).toUpperCase();
    const after = declared
      .slice(index + 1)
      .filter(([, later]) => later.count === "one" || later.count === "many").length;
    const takesAll = arg.count === "many" || arg.count === "any";
    const free = Math.max(0, rest.length - after);
    const mine = rest.slice(0, takesAll ? free : arg.count === "one" ? 1 : Math.min(1, free));
    if (mine.length === 0 && (arg.count === "one" || arg.count === "many")) {
      throw new UsageError(`${name} is missing: ${arg.description}`, `See: tongs ${line} --help`);
    }
    rest = rest.slice(mine.length);
    namedRepo ??= arg.locate?.(mine);
    args[key] = arg.read(mine, name);
  });
  if (rest.length > 0) {
    // After a bare --json it may have been meant as fields.
    const known = !json || command.output === undefined ? "" : Object.keys(fieldsOf(command.output)).join(", ");
    const hint = known !== "" ? `Fields for --json: ${known}` : `See: tongs ${line} --help`;
    throw new UsageError(`Unexpected argument '${rest[0]}'`, hint);
  }
  return { args, namedRepo };
}

/** A command's own flag stands in the place of the global one of its name, which is then as if it was not given. */
function shadowed({ flags }: CommandSpec): Record<string, unknown> {
  return notGiven(Object.entries(globalFlags).filter(([key]) => Object.hasOwn(flags, key)));
}

function emptyOptions(): GlobalOptions {
  return notGiven(Object.entries(globalFlags)) as unknown as GlobalOptions;
}

function notGiven(flags: readonly (readonly [string, Flag<unknown>])[]): Record<string, unknown> {
  return Object.fromEntries(flags.map(([key, flag]) => [key, flag.read([], key)]));
}
