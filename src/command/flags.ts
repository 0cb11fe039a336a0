import { UsageError } from "../failure/failure.ts";
import type { Needs } from "../forge/support.ts";
import { readSize } from "../text/format.ts";
import { type Dash, type Named, type Source, withDash } from "./source.ts";

/** How a flag is typed. */
export type FlagForm = "value" | "values" | "switch" | "yes-no";

/**
 * A flag of a command. `T` is the type that `run` receives; the spelling comes from its key (`matchHead` is
 * `--match-head`).
 */
export interface Flag<T> {
  readonly form: FlagForm;
  readonly description: string;
  readonly type: ValueType;
  /** Converts the typed values, in order; the array is empty when the flag was not given. */
  readonly read: (typed: readonly string[], spelling: string) => T;
  readonly placeholder?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Accepted but not shown in help: an old spelling. */
  readonly hidden?: boolean;
  /** Spellings that other tools use; accepted but not shown in help. */
  readonly aliases?: readonly Alias[];
  /** Where completion finds the values. */
  readonly source?: Source;
  /** What the value names outside of the server. */
  readonly names?: Named;
  /** Of an output file: a link is written through, as by other programs. */
  readonly followsLink?: boolean;
  /** What `-` stands for; part of the description. */
  readonly dash?: Dash;
  /** A switch that reads stdin. */
  readonly readsStdin?: boolean;
  /** Commas separate several values. */
  readonly separated?: boolean;
  /** It opens a browser; MCP tools do not have it. */
  readonly opensBrowser?: boolean;
  /** It narrows a list; `state` selects the records in a state, which is then named in the line above the list. */
  readonly filters?: true | "state";
  /** The operations that it cannot do without, if not all releases of servers have them. */
  readonly needs?: Needs;
  /** The field of the command's `fieldsOf` that it needs, if it has another name. */
  readonly field?: string;
  /** The key of the flag that removes what this one adds, or adds what it removes: a value of both is refused. */
  readonly opposite?: string;
  /** The keys of the yes-no flags that switch off what this one sets: their `--no-` forms are refused with it, but for `--no-` of both. */
  readonly disabledBy?: readonly string[];
  /** It is for something else than the current repository, which is meant without it. */
  readonly insteadOfRepository?: true;
}

/** Another spelling of a flag; with a `value`, it takes none and means the flag with that value. */
export interface Alias {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
}

/** The JSON type of one value, for `tongs schema`. */
export type ValueType = "string" | "integer" | "number" | "boolean";

/** Options of most flags. */
export type FlagOptions = Omit<
  Flag<unknown>,
  "form" | "type" | "description" | "read" | "choices" | "default" | "separated"
>;

/** The flags of a command by key. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What `run` receives for a set of flags. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

function last(typed: readonly string[]): string | undefined {
  return typed[typed.length - 1];
}

/** A flag with one value, of which the last occurrence counts, as `convert` reads it. */
export function flagOf<T>(
  type: ValueType,
  description: string,
  options: FlagOptions,
  convert: (raw: string, spelling: string) => T,
): Flag<T | undefined> {
  const read = (typed: readonly string[], spelling: string) => {
    const raw = last(typed);
    return raw === undefined ? undefined : convert(raw, spelling);
  };
  return { ...options, form: "value", type, description: withDash(description, options.dash), read };
}

/** `--name TEXT`. Throws a usage error if it must name something that exists and is empty. */
export function text(description: string, options: FlagOptions = {}): Flag<string | undefined> {
  return flagOf("string", description, { placeholder: "TEXT", ...options }, (raw, spelling) => {
    // To servers, an empty name is the default branch, or no filter. A repository is checked where it is looked up.
    const isName = options.source !== undefined && options.source !== "repository";
    if (raw.trim() === "" && isName) throw new UsageError(`${spelling} must not be empty`);
    return raw;
  });
}

/** Where servers cut the title of an issue or a pull request. */
const longestTitle = 255;

/** What is wrong with the title of an issue or a pull request, by its name in messages: it is empty, has several lines, or would be cut. */
export function titleProblem(text: string, name = "The title"): string | undefined {
  const { length } = [...text];
  if (text.trim() === "") return `${name} must not be empty`;
  if (/[\r\n]/.test(text)) return `${name} must be one line`;
  return length > longestTitle ? `${name} must have at most ${longestTitle} characters, not ${length}` : undefined;
}

/** `--title TEXT` of an issue or a pull request. Throws a usage error for one that is not valid (`titleProblem`). */
export function title(description: string): Flag<string | undefined> {
  return flagOf("string", description, { placeholder: "TEXT", short: "t" }, (raw, spelling) => {
    const problem = titleProblem(raw, spelling);
    if (problem !== undefined)
      throw new UsageError(problem, raw.trim() === "" ? undefined : "Pass the rest with --body.");
    return raw;
  });
}

/** `--name FILE`: a file to read, or `-` for stdin. */
export function inputFile(description: string, options: FlagOptions = {}): Flag<string | undefined> {
  return text(description, { placeholder: "FILE", names: "input file", dash: "stdin", ...options });
}

/** `--name TEXT`, with a default. */
export function textOr(fallback: string, description: string, options: FlagOptions = {}): Flag<string> {
  const read = (typed: readonly string[]) => last(typed) ?? fallback;
  return { placeholder: "TEXT", ...options, form: "value", type: "string", description, default: fallback, read };
}

/** `--name TEXT --name TEXT`: each occurrence is one item, commas included. Throws a usage error for an empty one. */
export function texts(description: string, options: FlagOptions = {}): Flag<readonly string[]> {
  const read = (typed: readonly string[], spelling: string) => {
    if (typed.some((item) => item.trim() === "")) throw new UsageError(`${spelling} must not be empty`);
    return typed;
  };
  return {
    placeholder: "TEXT",
    ...options,
    form: "values",
    type: "string",
    description: withDash(description, options.dash),
    read,
  };
}

/**
 * `--name A,B --name C`: comma-separated names, to select by or to change a list by. Throws a usage error if it was given
 * without any: nothing would be selected or changed.
 */
export function names(description: string, options: FlagOptions = {}): Flag<readonly string[]> {
  const whole = wholeList(description, options);
  const read = (typed: readonly string[], spelling: string) => {
    const found = whole.read(typed, spelling) ?? [];
    if (typed.length > 0 && found.length === 0) throw new UsageError(`${spelling} must not be empty`);
    return found;
  };
  return { ...whole, read };
}

/** `--name A,B --name C`: the whole of a list, which `--name ''` empties; undefined if it was not given. */
export function wholeList(description: string, options: FlagOptions = {}): Flag<readonly string[] | undefined> {
  const read = (typed: readonly string[]) => (typed.length === 0 ? undefined : typed.flatMap(separated));
  // Names of labels are free text, in which commas are usual.
  const said = options.source === "label" ? `${description}; put one that has a comma in quotes: '"a,b"'` : description;
  return { placeholder: "NAME", ...options, form: "values", type: "string", separated: true, description: said, read };
}

/**
 * The items between commas, without empty ones. Commas in brackets are part of an item (`ci/{a,b}`, `test (linux, 20)`), and
 * so is everything in quotes (`"sand, gravel"`), where `""` is a quote.
 */
function separated(typed: string): string[] {
  const items = typed.match(/\s*"(?:[^"]|"")*"\s*(?=,|$)|(?:\{[^{}]*\}|\([^()]*\)|[^,])+/g) ?? [];
  return items.map((item) => unquoted(item.trim())).filter((item) => item !== "");
}

function unquoted(item: string): string {
  return /^".*"$/.test(item) ? item.slice(1, -1).replaceAll('""', '"') : item;
}

/** `--name N`: a whole number from `min` to `max`. */
export function integer(
  description: string,
  options: FlagOptions & { readonly min?: number; readonly max?: number } = {},
): Flag<number | undefined> {
  const { min, max, ...rest } = options;
  return flagOf("integer", description, { placeholder: "N", ...rest }, (raw, spelling) =>
    wholeNumber(raw, spelling, min, max),
  );
}

/** Parses a whole number. Throws a usage error that names the flag or argument. */
export function wholeNumber(raw: string, spelling: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(raw);
  if (!/^[+-]?\d+$/.test(raw) || !Number.isSafeInteger(value) || value < min || value > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`Invalid value '${raw}' for ${spelling}: must be a whole number ${range}`);
  }
  return value;
}

/** The number that names something: an ID, or that of an issue. Throws a usage error if a double cannot hold it. */
export function exactNumber(digits: string): number {
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new UsageError(`The number ${digits} is too large`);
  return value;
}

/** `--name SECONDS`: a number of seconds, fractions allowed. */
export function seconds(description: string, options: FlagOptions = {}): Flag<number | undefined> {
  return flagOf("number", description, { placeholder: "SECONDS", ...options }, (raw, spelling) => {
    const value = Number(raw);
    if (raw.trim() === "" || !Number.isFinite(value) || value < 0) {
      throw new UsageError(`Invalid value '${raw}' for ${spelling}: must be a number of seconds`);
    }
    return value;
  });
}

/** `--name WORD`, one of a fixed set of words. */
export function choice<const C extends string>(
  choices: readonly C[],
  description: string,
  options: FlagOptions = {},
): Flag<C | undefined> {
  const flag = flagOf("string", description, options, (raw, spelling) => oneOf(choices, raw, spelling));
  return { ...flag, choices };
}

/** `--name WORD`, one of a fixed set of words, with a default. */
export function choiceOr<const C extends string>(
  choices: readonly C[],
  fallback: NoInfer<C>,
  description: string,
  options: FlagOptions = {},
): Flag<C> {
  const optional = choice(choices, description, options);
  return { ...optional, default: fallback, read: (typed, spelling) => optional.read(typed, spelling) ?? fallback };
}

/** `--name A,B --name C`, each one of a fixed set of words. Throws a usage error if it was given without any. */
export function choicesOf<const C extends string>(
  choices: readonly C[],
  description: string,
  options: FlagOptions = {},
): Flag<readonly C[]> {
  const all = names(description, options);
  const read = (typed: readonly string[], spelling: string) =>
    all.read(typed, spelling).map((raw) => oneOf(choices, raw, spelling));
  return { ...options, form: "values", type: "string", separated: true, description, choices, read };
}

function oneOf<C extends string>(choices: readonly C[], raw: string, spelling: string): C {
  const found = choices.find((word) => word === raw);
  if (found === undefined)
    throw new UsageError(`Invalid value '${raw}' for ${spelling}: must be one of ${choices.join(", ")}`);
  return found;
}

/** `--name`: true when given. */
export function toggle(description: string, options: FlagOptions = {}): Flag<boolean> {
  return { ...options, form: "switch", type: "boolean", description, read: (typed) => last(typed) === "true" };
}

/** `--name` or `--no-name`; undefined when neither is given. */
export function yesNo(description: string, options: FlagOptions = {}): Flag<boolean | undefined> {
  return { ...flagOf("boolean", description, options, (raw) => raw === "true"), form: "yes-no" };
}

/** Whether a flag was given: `--no-admin` is, too. */
export function isGiven(value: unknown, form: FlagForm | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && (value !== false || form === "yes-no");
}

/** `hasIssues` → `has_issues`: the field of the API that a flag sets. */
export function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `match_head` → `matchHead`. */
export function camel(name: string): string {
  return name.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
}

/** `matchHead` → `match-head`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A flag for a size in bytes, or with K, M, G or T; `shown` is the default in help texts. */
export function sizeOr(shown: string, fallback: number, description: string): Flag<number> {
  const flag = flagOf("string", description, { placeholder: "SIZE" }, sizeOf);
  return { ...flag, default: shown, read: (typed, spelling) => flag.read(typed, spelling) ?? fallback };
}

/** The bytes of a size, as it is typed: `500M`, `2 GiB`. Throws a usage error that names the flag or argument. */
export function sizeOf(raw: string, spelling: string): number {
  const size = readSize(raw);
  if (size === undefined) throw new UsageError(`${spelling} must be a size such as 500M or 2G, not '${raw}'`);
  return size;
}
