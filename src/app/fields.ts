import {
  camel,
  choice,
  type Flag,
  type Flags,
  type FlagValues,
  integer,
  names,
  snake,
  text,
  wholeList,
  yesNo,
} from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { refuseColor, type Settings, type SettingValues } from "../forge/setting.ts";
import { hexColor } from "../text/color.ts";
import { capitalized } from "../text/format.ts";

/** `hasIssues` → `has_issues`: the field of the API that a flag sets. */
type Snake<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : S;

/** `is_archived` → `isArchived`: the flag that sets a field of the API. */
type Camel<S extends string> = S extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S;

/** The flags of settings, by key. */
export type SettingFlags<S extends Settings> = {
  readonly [K in keyof S & string as Camel<K>]: Flag<SettingValues<S>[K] | undefined>;
};

/** The body that a set of field flags makes. Fields that were not given are absent. */
export type Body<F extends Flags> = {
  readonly [K in keyof F & string as Snake<K>]?: Exclude<FlagValues<F>[K], undefined>;
};

/**
 * The body of a request from flags that are named after the API's fields (`hasIssues` is `--has-issues` and sets
 * `has_issues`): those of `fields` that were given.
 */
export function bodyOf<const F extends Flags>(fields: F, values: FlagValues<F>): Body<F> {
  const given = Object.keys(fields).flatMap((key): [string, unknown][] => {
    const value = values[key];
    return value === undefined ? [] : [[snake(key), value]];
  });
  return Object.fromEntries(given) as Body<F>;
}

/** The flags that set the settings of a record: `is_archived` is `--is-archived`, and `--no-is-archived`. */
export function flagsOf<const S extends Settings>(settings: S): SettingFlags<S> {
  const flags = Object.entries(settings).map(([name, setting]) => [camel(name), flagOf(setting)]);
  return Object.fromEntries(flags) as SettingFlags<S>;
}

/** `enable_push` → `--enable-push`: the flag of a setting, for messages. */
export function flagName(setting: string): string {
  return `--${setting.replaceAll("_", "-")}`;
}

function flagOf({ shape, flag, isColor, names: what, needs = [], ...plainOptions }: Settings[string]): Flag<unknown> {
  const options = { ...plainOptions, ...(what && { placeholder: what.toUpperCase(), source: what }) };
  if (shape.type === "list") {
    const beside = needs.length === 0 ? "" : `, with ${needs.map(flagName).join(", ")}`;
    return wholeList(`${flag}${beside}`, options);
  }
  const disabledBy = needs.length === 0 ? {} : { disabledBy: needs.map(camel) };
  if (shape.type === "boolean") return yesNo(flag, { ...options, ...disabledBy });
  if (shape.type === "integer") return integer(flag, options);
  if (shape.words !== undefined) return choice(shape.words, flag, { ...options, ...disabledBy });
  const plain = text(flag, { ...options, ...disabledBy });
  if (isColor !== true) return plain;
  const read = (typed: readonly string[], spelling: string) => {
    const raw = plain.read(typed, spelling);
    return raw === undefined ? undefined : (hexColor(raw) ?? refuseColor(spelling, raw));
  };
  return { ...plain, placeholder: "COLOR", read };
}

/** The usage error of an edit that was given no changes. */
export function nothingToChange(): UsageError {
  return new UsageError("Nothing to change: no changes were given");
}

/** Throws a usage error if a body changes nothing. Returns the names of its fields, for messages. */
export function changedNames(body: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(body).filter((name) => body[name] !== undefined);
  if (names.length === 0) throw nothingToChange();
  return names;
}

/** `Updated label 'tide'`, or `Renamed label 'tide' to 'ebb'`: what an edit did, by the names that begin with the kind. */
export function editedText(kind: string, before: string, after: string): string {
  return before === after ? `Updated ${after}` : `Renamed ${before} to ${after.replace(`${kind} `, "")}`;
}

/** A list after `--add-X` and `--remove-X`, without empty items; undefined if neither was given. */
export function changedList(
  current: readonly string[],
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): string[] | undefined {
  if (add.length === 0 && remove.length === 0) return undefined;
  return [...new Set([...current, ...add])].filter((item) => item !== "" && !remove.includes(item));
}

/** The flags `--add-X` and `--remove-X` of list flags, by key: `addX`, `removeX`. */
type ListEdits<F extends Flags> = {
  readonly [K in ListKeys<F> as `add${Capitalize<K>}` | `remove${Capitalize<K>}`]: Flag<readonly string[]>;
};
type ListKeys<F extends Flags> = keyof {
  [K in keyof F & string as F[K] extends Flag<readonly string[] | undefined> ? K : never]: unknown;
};

const listKeys = (flags: Flags) => Object.keys(flags).filter((key) => flags[key]?.form === "values");

/** Declares `--add-X` and `--remove-X` for each list flag. */
export function listEdits<const F extends Flags>(flags: F): ListEdits<F> {
  const edits = listKeys(flags).flatMap((key) => {
    const { description = "", placeholder = "NAME" } = flags[key] ?? {};
    return [
      [`add${capitalized(key)}`, names(`add to: ${description}`, { placeholder })],
      [`remove${capitalized(key)}`, names(`remove from: ${description}`, { placeholder })],
    ];
  });
  return Object.fromEntries(edits) as ListEdits<F>;
}

/** The flags that exclude each other: `--X` replaces a list that `--add-X` and `--remove-X` change. */
export function listExclusive(flags: Flags): [string, string][] {
  return listKeys(flags).flatMap((key): [string, string][] => [
    [key, `add${capitalized(key)}`],
    [key, `remove${capitalized(key)}`],
  ]);
}

/** The lists that `--add-X` and `--remove-X` change, from those that a record has now. */
export function editedLists(
  flags: Flags,
  values: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): Record<string, readonly string[]> {
  const changed = listKeys(flags).flatMap((key): [string, readonly string[]][] => {
    const list = changedList(textsOf(record[snake(key)]), {
      add: textsOf(values[`add${capitalized(key)}`]),
      remove: textsOf(values[`remove${capitalized(key)}`]),
    });
    return list === undefined ? [] : [[snake(key), list]];
  });
  return Object.fromEntries(changed);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
