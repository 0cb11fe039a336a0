import { mismatch } from "./mismatch.ts";
import { isObject, optional, type Shape } from "./shape.ts";

/** A value as it was read, and how it differs from its shape, if it still does. */
export interface Read {
  readonly value: unknown;
  readonly mismatch: string | undefined;
}

/** Called with what a record of a list is not, which is then left out of it. */
export type Report = (mismatch: string) => void;

/**
 * Reads what a server sent generously, where releases differ and what is meant is plain: null is a list without items, or a
 * field that is absent, and a string of digits is a number. With `report`, records that cannot be read are left out of their
 * lists. What fits is not copied.
 */
export function readAs(shape: Shape<unknown>, value: unknown, report?: Report): Read {
  const found = mismatch(shape, value);
  if (found === undefined) return { value, mismatch: undefined };
  const meant = meaning(shape, value, report);
  return { value: meant, mismatch: mismatch(shape, meant) };
}

function meaning(shape: Shape<unknown>, value: unknown, report?: Report): unknown {
  const { type, item, fields = {}, used } = shape;
  if (value === null) return shape.nullable || type === "any" ? null : absent(shape);
  if (shape.forms !== undefined) {
    const { first, second, isSecond } = shape.forms;
    return meaning(isSecond(value) ? second : first, value, report);
  }
  if (typeof value === "string") return type === "integer" || type === "number" ? numberIn(shape, value) : value;
  if (Array.isArray(value)) return item === undefined ? value : itemsIn(item, value, report);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isUsed = used === undefined || used.includes(key);
    const field = type === "map" ? item && optional(item) : isUsed ? fields[key] : undefined;
    const reportIn: Report | undefined = report && ((what) => report(`${what} (in ${key})`));
    return [key, field === undefined ? inner : meaning(field, inner, reportIn)] as const;
  });
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function absent({ type, optional }: Shape<unknown>): unknown {
  return type === "list" ? [] : optional ? undefined : null;
}

function itemsIn(item: Shape<unknown>, values: readonly unknown[], report?: Report): unknown[] {
  const all = values.map((value) => meaning(item, value, report));
  // Null is the place of what does not exist.
  const keepsPlaces = item.nullable === true && item.nullInLists !== true;
  if (report === undefined || keepsPlaces) return all;
  return all.filter((value) => {
    const found = mismatch(item, value);
    if (found !== undefined) report(found);
    return found === undefined;
  });
}

function numberIn({ type, large }: Shape<unknown>, text: string): unknown {
  const isNumber = type === "integer" ? /^-?\d+$/.test(text) : /^-?\d+(\.\d+)?$/.test(text);
  if (!isNumber) return text;
  return large && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);
}
