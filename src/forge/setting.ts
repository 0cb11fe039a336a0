import { UsageError } from "../failure/failure.ts";
import { nullable, optional, type Shape } from "../shape/shape.ts";
import { hexColor } from "../text/color.ts";
import { asColor } from "./applied.ts";

/** A field of a record that can be set: its type, and what its flag says. */
export interface Setting<T> {
  readonly shape: Shape<T>;
  readonly flag: string;
  /** The short form of the flag. */
  readonly short?: string;
  readonly placeholder?: string;
  /** The least number. */
  readonly min?: number;
  /** What it names: a branch, or the users or teams of a list. They must exist. */
  readonly names?: "user" | "team" | "branch";
  /** Servers keep only the names of users who can read, or write, and of teams that have the repository. */
  readonly onlyWithAccess?: "read" | "write" | undefined;
  /** The switches without which it has no effect; a switch is false without them. */
  readonly needs?: readonly string[];
  /** A color: six hex digits in lower case, typed as `f00`, `FF0000` or `#ff0000`. */
  readonly isColor?: true;
}

/** The settings of a record by the names of the API: its flags, files, policies and the sandbox read them. */
export type Settings = Readonly<
  Record<string, Setting<string> | Setting<boolean> | Setting<number> | Setting<readonly string[]>>
>;

/** The values of settings. */
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Servers send null for an empty list. */
type ShapeOf<T> = Shape<T extends readonly string[] ? T | null : T> & { readonly optional: true };
type ShapesOf<S extends Settings> = {
  readonly [K in keyof S]: ShapeOf<SettingValues<S>[K]>;
};

/** The fields of the record. */
export function shapesOf<const S extends Settings>(settings: S): ShapesOf<S> {
  const shapes = Object.entries(settings).map(([name, { shape }]) => {
    return [name, optional<unknown>(shape.type === "list" ? nullable<unknown>(shape) : shape)];
  });
  return Object.fromEntries(shapes) as ShapesOf<S>;
}

/** How the colors of a record are compared with what a write asked for (`applied`). */
export function colorsOf<const S extends Settings>(settings: S) {
  const names = Object.keys(settings).filter((name) => settings[name]?.isColor === true);
  return Object.fromEntries(
    names.map((name) => [name, asColor((record: { readonly [K in keyof S]?: unknown }) => record[name])]),
  );
}

/** The values of settings, with colors as servers store them. What is no color is kept, unless `refuse` throws. */
export function withColors<T extends object>(
  settings: Settings,
  values: T,
  refuse = (_name: string, color: string) => color,
): T {
  const stored = Object.entries(values).map(([name, value]) => {
    if (settings[name]?.isColor !== true) return [name, value];
    return [name, hexColor(String(value)) ?? refuse(name, String(value))];
  });
  return Object.fromEntries(stored) as T;
}

/** Throws the usage error for a text that is no color; `name` is what it was given for. */
export function refuseColor(name: string, text: string): never {
  throw new UsageError(`${name} must be hex digits such as ff0000, not '${text}'`);
}

/** Settings that servers ignore while one that they belong to is off, or that are false then (`clears`). */
export interface Belonging {
  readonly of: readonly string[];
  readonly sends: readonly string[];
  readonly clears?: boolean;
}

/**
 * The settings of a body that a server ignores, and what each belongs to, which is off: in the body, or `before`, of a new
 * record undefined, where nothing is on. One that is cleared is ignored only if it is turned on.
 */
export function ignoredIn(
  settings: readonly Belonging[],
  body: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): { readonly field: string; readonly unit: string }[] {
  return settings.flatMap(({ of, sends, clears = false }) => {
    const isOff = (unit: string) =>
      body[unit] === false || (clears && body[unit] === undefined && (before === undefined || before[unit] === false));
    const isIgnored = (field: string) => body[field] !== undefined && !(clears && body[field] === false);
    return of.filter(isOff).flatMap((unit) => sends.filter(isIgnored).map((field) => ({ field, unit })));
  });
}

/** The settings that a body does not have, and without which servers ignore others of it. */
export function neededBeside(settings: readonly Belonging[], body: object): string[] {
  const sent = new Map(Object.entries(body));
  const isSent = (name: string) => sent.get(name) !== undefined;
  const needed = settings.flatMap(({ of, sends }) => (sends.some(isSent) ? of : []));
  return [...new Set(needed)].filter((name) => !isSent(name));
}

/** An edit, with those of the settings that it needs beside others and that are on. */
export function withNeeded<T extends object>(settings: readonly Belonging[], body: T, before: object): T {
  const now: Readonly<Record<string, unknown>> = { ...before };
  const on = neededBeside(settings, body).filter((name) => now[name] === true);
  return { ...body, ...Object.fromEntries(on.map((name) => [name, true])) };
}
