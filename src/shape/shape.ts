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
  /** Of an integer: it can be beyond 2^53, and then is a bigint. */
  readonly large?: boolean;
  /** What a record of the server is, for messages: `a pull request`. */
  readonly title?: string;
  /** In lists, servers send null for one that was deleted. */
  readonly nullInLists?: boolean;
  /** The fields that tongs relies on, and the only ones in the TypeScript type; undefined means all. */
  readonly used?: readonly string[];
  /** The two forms of a value that servers send differently; `fields` are then those of both. */
  readonly forms?: Forms;
  /** Carries the type only; never set. */
  readonly value?: T;
}

interface Forms {
  readonly first: Shape<unknown>;
  readonly second: Shape<unknown>;
  readonly isSecond: (value: unknown) => boolean;
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
/** An integer of 64 bits: a bigint beyond 2^53 (parseJson). */
export const largeInteger: Shape<number | bigint> = { type: "integer", large: true };
export const number: Shape<number> = { type: "number" };
export const boolean: Shape<boolean> = { type: "boolean" };
/** RFC 3339 with the server's offset; null, absent, the zero time and the epoch mean "not yet" (`isUnset`). */
export const time: Shape<string | null> & Optional = { type: "time", nullable: true, optional: true };

/** Whether a time is not set: null, absent, the zero time or the epoch (docs/server-differences.md, "Times"). */
export function isUnset(time: string | null | undefined): boolean {
  if (time === null || time === undefined || time === "" || time.startsWith("0001-")) return true;
  return Date.parse(time) === 0;
}

/** A time, if it is set. */
export function setTime(time: string | null | undefined): string | undefined {
  return isUnset(time) ? undefined : (time ?? undefined);
}
export const anything: Shape<unknown> = { type: "any" };

interface Optional {
  readonly optional: true;
}

/** A string with known values; newer servers can send others. */
export function words<const W extends string>(...known: readonly W[]): Shape<W> {
  return { type: "string", words: known };
}

/** A list of items; null can be among them if the item is `nullInLists`. */
export function list<T>(item: Shape<T> & NullInLists): Shape<readonly (T | null)[]>;
export function list<T>(item: Shape<T>): Shape<readonly T[]>;
export function list<T>(item: Shape<T>): Shape<readonly (T | null)[]> {
  return { type: "list", item: item.nullInLists ? nullable(item) : item };
}

interface NullInLists {
  readonly nullInLists: true;
}

/** The items of a list that are not null. */
export function present<T>(items: readonly (T | null)[] | null | undefined): readonly T[] {
  return (items ?? []).filter((item) => item !== null);
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
export function optional<T>(shape: Shape<T>): Shape<T> & Optional {
  return { ...shape, optional: true };
}

/** An object with these fields. */
export function record<const F extends Fields>(fields: F): Shape<RecordOf<F>> & { readonly fields: F } {
  return { type: "record", fields };
}

/**
 * A record that a server sends. `read` are the fields that tongs relies on: they are checked when the record comes in, and
 * only they are in the TypeScript type. The others are printed by `--json` as they are, or missing.
 */
export function serverRecord<const R extends Fields, const O extends Fields = Record<never, never>>(
  title: string,
  read: R,
  others?: O,
): Shape<RecordOf<R>> & { readonly fields: R & O } {
  const fields = { ...read, ...others } as R & O;
  return { type: "record", title, fields, used: Object.keys(read) };
}

/** A record that can be null in the lists of a server: a person, a team, a label, a file or a review. */
export function listedRecord<const R extends Fields, const O extends Fields = Record<never, never>>(
  title: string,
  read: R,
  others?: O,
): Shape<RecordOf<R>> & { readonly fields: R & O } & NullInLists {
  return listed(serverRecord(title, read, others));
}

/** A record that can be null in the lists of a server. */
export function listed<S extends Shape<unknown>>(shape: S): S & NullInLists {
  return { ...shape, nullInLists: true };
}

/** The same record where tongs relies on other fields of it, such as the author within a pull request. */
export function using<const F extends Fields, const U extends keyof F & string>(
  { fields, title }: Shape<unknown> & { readonly fields: F },
  ...used: readonly U[]
): Shape<RecordOf<Pick<F, U>>> & { readonly fields: F } {
  return { type: "record", title: title ?? "a record", fields, used };
}

/**
 * A value that servers send in one of two forms; `isSecond` tells which. If both are records, `--json` and the JSON Schema
 * know the fields of both; of a record or a list of them, its fields.
 */
export function either<A, B>(
  first: Shape<A>,
  second: Shape<B>,
  isSecond: (value: unknown) => boolean,
): Shape<A | B> & { readonly fields: Fields } {
  const isRecord = first.type === "record" && second.type === "record";
  const fields = isRecord || second.item === first ? fieldsOfBoth(fieldsOf(first), fieldsOf(second)) : {};
  const title = first.title === undefined ? {} : { title: first.title };
  return { type: isRecord ? "record" : "any", ...title, fields, forms: { first, second, isSecond } };
}

/** A field is optional unless both require it. */
function fieldsOfBoth(one: Fields, other: Fields): Fields {
  const isRequired = (field: Shape<unknown> | undefined) => field !== undefined && field.optional !== true;
  return Object.fromEntries(
    Object.entries({ ...other, ...one }).map(([name, field]) => [
      name,
      isRequired(one[name]) && isRequired(other[name]) ? field : optional(field),
    ]),
  );
}

/** Whether a value is an object with this field. */
export function hasKey(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a record, or of the items of a list. */
export function fieldsOf(shape: Shape<unknown>): Fields {
  return shape.fields ?? (shape.item ? fieldsOf(shape.item) : {});
}
