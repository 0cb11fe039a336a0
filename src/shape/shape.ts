/**
 * The fields of a record of the API. The TypeScript type, the field names of `--json` and the JSON Schema of `tongs schema`
 * are derived from it. Of a record of the server, `mismatch` (mismatch.ts) checks the fields in `used`.
 */
export interface Shape<T> {
  readonly type: "string" | "integer" | "number" | "boolean" | "time" | "list" | "map" | "record" | "any";
  readonly item?: Shape<unknown>;
  readonly fields?: Fields;
  readonly nullable?: boolean;
  readonly optional?: boolean;
  readonly words?: readonly string[];
  /** What a record of the server is, for messages: `a pull request`. */
  readonly title?: string;
  /** The fields that tongs relies on, and the only ones in the TypeScript type; undefined means all. */
  readonly used?: readonly string[];
  /** Carries the type only; never set. */
  readonly value?: T;
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;

/** The TypeScript type of a shape. */
export type Infer<S> = S extends Shape<infer T> ? T : never;

type RequiredKeys<F> = { [K in keyof F]: F[K] extends { readonly optional: true } ? never : K }[keyof F];
type OptionalKeys<F> = Exclude<keyof F, RequiredKeys<F>>;
type RecordOf<F> = { readonly [K in RequiredKeys<F>]: Infer<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Infer<F[K]> | undefined;
};

export const string: Shape<string> = { type: "string" };
export const integer: Shape<number> = { type: "integer" };
export const number: Shape<number> = { type: "number" };
export const boolean: Shape<boolean> = { type: "boolean" };
/** RFC 3339 with the server's offset; the zero time and the epoch mean "never". */
export const time: Shape<string> = { type: "time" };
export const anything: Shape<unknown> = { type: "any" };

/** A string with known values; newer servers can send others. */
export function words<const W extends string>(...known: readonly W[]): Shape<W> {
  return { type: "string", words: known };
}

/** A list of items. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return { type: "list", item };
}

/** An object with any keys. */
export function map<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return { type: "map", item };
}

/** A value that can be null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { ...shape, nullable: true } as Shape<T | null>;
}

/** A field that some servers or releases omit. */
export function optional<T>(shape: Shape<T>): Shape<T> & { readonly optional: true } {
  return { ...shape, optional: true };
}

/** An object with these fields. */
export function record<const F extends Fields>(fields: F): Shape<RecordOf<F>> & { readonly fields: F } {
  return { type: "record", fields };
}

/**
 * A record that a server sends. `used` names the fields that tongs relies on: they are checked when the record comes in,
 * and only they are in the TypeScript type. All other fields are printed by `--json` as they are, or missing.
 */
export function serverRecord<const F extends Fields, const U extends keyof F & string>(
  title: string,
  fields: F,
  used: readonly U[],
): Shape<RecordOf<Pick<F, U>>> & { readonly fields: F } {
  return { type: "record", title, fields, used };
}

/** The same record where tongs relies on other fields of it, such as the author within a pull request. */
export function using<const F extends Fields, const U extends keyof F & string>(
  { fields, title }: Shape<unknown> & { readonly fields: F },
  ...used: readonly U[]
): Shape<RecordOf<Pick<F, U>>> & { readonly fields: F } {
  return { type: "record", title: title ?? "a record", fields, used };
}

/** The fields of a record, or of the items of a list. */
export function fieldsOf(shape: Shape<unknown>): Fields {
  return shape.fields ?? (shape.item ? fieldsOf(shape.item) : {});
}
