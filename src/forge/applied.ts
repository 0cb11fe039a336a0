import type { IgnoredField } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { isObject } from "../shape/shape.ts";
import { hexColor } from "../text/color.ts";

/** Reads a field from the answer of a write: null if it is not set, undefined if the answer does not tell. */
export type ReadField<R> = (record: R, asked: unknown) => unknown;

/** A field of a body, or one of an object in it: `config.secret`. */
type FieldName<N extends string> = N | `${N}.${string}`;

/**
 * How the answer of a write shows which fields of the body the server applied. A field that is not named here is compared
 * with the one of the same name, if the answer has that: an older server may apply it all the same.
 */
export interface Applied<R, N extends string = string> {
  /** The names of fields that the record has by another one, also that of a field in an object: `base.ref`. */
  readonly names?: Readonly<Partial<Record<N, string>>>;
  /** Where the record has a field otherwise than under a name, or in another form. */
  readonly reads?: Readonly<Partial<Record<N, ReadField<R>>>>;
  /** The fields that are not compared, with the reason. */
  readonly except?: Readonly<Partial<Record<FieldName<N>, string>>>;
  /** The fields that every server which knows them answers with: one that is not in the answer was not applied. */
  readonly answered?: "all" | readonly N[];
  /**
   * Reads a record with what the answer does not have, or only repeats: its fields replace those of an answered record. Sent
   * only if one of these fields is to have a value.
   */
  readonly after?: {
    readonly fields: readonly N[];
    readonly read: (http: Http, parameters: never, body: never) => Promise<object | undefined>;
  };
  /** What to do about fields that were not applied. */
  readonly hint?: string | ((ignored: readonly IgnoredField[], record: R) => string | undefined);
}

/** The fields of a body that the server did not apply, by the record that it answered with. */
export function ignoredFields<R>(body: object, record: R, applied: Applied<R>): IgnoredField[] {
  const { names = {}, reads = {}, except = {}, answered = [] } = applied;
  const compare = (of: unknown, name: string, requested: unknown, above: readonly string[] = []): IgnoredField[] => {
    const path = [...above, name].join(".");
    if (requested == null || except[path] !== undefined) return [];
    const read = reads[path];
    const named = names[path] === undefined ? (isObject(of) ? of[name] : undefined) : valueAt(of, names[path]);
    const actual = read === undefined ? named : read(record, requested);
    if (actual === undefined && answered !== "all" && !answered.includes(above[0] ?? name)) return [];
    if (read === undefined && isObject(requested))
      return Object.entries(requested).flatMap(([key, value]) => compare(actual, key, value, [...above, name]));
    return isSame(requested, actual) ? [] : [{ name: path, requested, actual: actual ?? null }];
  };
  return Object.entries(body).flatMap(([name, requested]: [string, unknown]) => compare(record, name, requested));
}

/** Whether a field is as requested. Servers trim texts, write times in their own zone, and say nothing for what is empty. */
function isSame(requested: unknown, actual: unknown): boolean {
  if (requested === actual || (isEmpty(requested) && isEmpty(actual)) || (requested === false && actual === undefined))
    return true;
  if (Array.isArray(requested)) return Array.isArray(actual) && asSet(requested) === asSet(actual);
  if (typeof requested !== "string" || typeof actual !== "string") return false;
  return plain(requested) === plain(actual) || sameTime(requested, actual);
}

function isEmpty(value: unknown): boolean {
  return value == null || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** The order and the case of a list say nothing. */
function asSet(items: readonly unknown[]): string {
  return JSON.stringify([...new Set(items.map((item) => String(item).trim().toLowerCase()))].sort());
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}

function sameTime(one: string, other: string): boolean {
  const isTime = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text);
  const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);
  return isTime(one) && isTime(other) && seconds(one) === seconds(other);
}

/** What was asked for, if what is there is the same in a form of its own; otherwise what is there. */
const inForm =
  (isSameForm: (asked: string, is: string) => boolean) =>
  <R>(read: (record: R) => unknown): ReadField<R> =>
  (record, asked) => {
    const is = read(record);
    return is !== undefined && isSameForm(String(asked), String(is ?? "")) ? asked : is;
  };

/** A color: servers return it without `#`, in lower case, with six digits. */
export const asColor = inForm((asked, is) => hexColor(asked) === hexColor(is));

/** A date: servers move it to the end of the day, in a zone of their own (docs/server-differences.md, "Issues"). */
export const asDay = inForm((asked, is) => Math.abs(Date.parse(asked) - Date.parse(is)) <= 24 * 60 * 60 * 1000);

/** A duration: `8h` is returned as `8h0m0s`. */
export const asDuration = inForm((asked, is) => secondsOf(asked) === secondsOf(is) && is !== "");

/** A name or an address, which servers write in a case of their own. */
export const asName = inForm((asked, is) => asked.toLowerCase() === is.toLowerCase());

/** An address without what servers leave out: the name and the password of a user, and a slash at the end. */
export const asAddress = inForm((asked, is) => plainAddress(asked) === plainAddress(is));

/** A public key; servers leave its comment out, or its last line break. */
export const asKey = inForm((asked, is) => keyOf(asked) === keyOf(is));

function keyOf(text: string): string {
  return text.trim().split(/\s+/).slice(0, 2).join(" ");
}

function plainAddress(text: string): string {
  return text.replace(/^(\w+:\/\/)[^/@]*@/, "$1").replace(/\/+$/, "");
}

function secondsOf(text: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
  const parts = [...text.matchAll(/([\d.]+)([hms]?)/g)];
  return parts.reduce((sum, [, count = "0", unit = "s"]) => sum + Number(count) * (units[unit] ?? 1), 0);
}

/** Names, of which a server may have more: what was asked for, if all of it is there. */
export const amongst =
  <R>(read: (record: R) => readonly (string | number)[] | undefined): ReadField<R> =>
  (record, asked) => {
    const is = read(record);
    const has = new Set(is?.map((item) => String(item).toLowerCase()));
    return is !== undefined && (asked as readonly unknown[]).every((item) => has.has(String(item).toLowerCase()))
      ? asked
      : is;
  };

/** A field that the record has under another name, though tongs does not rely on it. */
export function under(name: string): (record: object) => unknown {
  return (record) => valueAt(record, name);
}

/** A field within a value: `user.login`; the value itself for `""`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  return path.split(".").reduce((found, name) => (isObject(found) ? found[name] : undefined), value);
}
