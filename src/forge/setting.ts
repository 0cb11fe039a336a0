import { optional, type Shape } from "../shape/shape.ts";
import { asColor, plainColor } from "./applied.ts";

/** A field of a record that can be set: its type, and what its flag says. */
export interface Setting<T> {
  readonly shape: Shape<T>;
  readonly flag: string;
  /** The short form of the flag. */
  readonly short?: string;
  /** A color: six hex digits in lower case, typed as `f00`, `FF0000` or `#ff0000`. */
  readonly isColor?: true;
}

/** The settings of a record by the names of the API: its flags, files, policies and the sandbox read them. */
export type Settings = Readonly<Record<string, Setting<string> | Setting<boolean>>>;

/** The values of settings. */
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

type ShapesOf<S extends Settings> = {
  readonly [K in keyof S]: Shape<SettingValues<S>[K]> & { readonly optional: true };
};

/** The fields of the record. */
export function shapesOf<const S extends Settings>(settings: S): ShapesOf<S> {
  const shapes = Object.entries(settings).map(([name, { shape }]) => [name, optional<unknown>(shape)]);
  return Object.fromEntries(shapes) as ShapesOf<S>;
}

/** How the colors of a record are compared with what a write asked for (`applied`). */
export function colorsOf<const S extends Settings>(settings: S) {
  const names = Object.keys(settings).filter((name) => settings[name]?.isColor === true);
  return Object.fromEntries(
    names.map((name) => [name, asColor((one: { readonly [K in keyof S]?: unknown }) => one[name])]),
  );
}

/** The values of settings, with colors as servers return them. */
export function plainColors<T extends object>(settings: Settings, values: T): T {
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    settings[name]?.isColor === true ? plainColor(String(value)) : value,
  ]);
  return Object.fromEntries(plain) as T;
}
