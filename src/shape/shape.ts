/**
 * The fields of a wire record, once, as data: the TypeScript type, the names that `--json` accepts and the JSON Schema
 * of `tongs schema` are all taken from it. Nothing is checked against it at run time: records pass through untouched.
 */
export interface Shape<T> {
  readonly type: "string" | "integer" | "number" | "boolean" | "time" | "list" | "map" | "record" | "any";
  readonly item?: Shape<unknown>;
  readonly fields?: Fields;
  readonly nullable?: boolean;
  readonly optional?: boolean;
  readonly words?: readonly string[];
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

/** One of the words known today; newer servers may send others. */
export function words<const W extends string>(...known: readonly W[]): Shape<W> {
  return { type: "string", words: known };
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return { type: "list", item };
}

export function map<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return { type: "map", item };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { ...shape, nullable: true } as Shape<T | null>;
}

/** A field that one of the servers, or an older one, leaves out. */
export function optional<T>(shape: Shape<T>): Shape<T> & { readonly optional: true } {
  return { ...shape, optional: true };
}

export function record<const F extends Fields>(fields: F): Shape<RecordOf<F>> & { readonly fields: F } {
  return { type: "record", fields };
}

/** The record that a shape is, or is a list of. */
export function fieldsOf(shape: Shape<unknown>): Fields {
  return shape.fields ?? (shape.item ? fieldsOf(shape.item) : {});
}
