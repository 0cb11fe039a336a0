import { UsageError } from "../../failure/failure.ts";
import type { Query } from "../../http/path.ts";

/** One `-f` or `-F`: `a[b][]=value` has the name `a`, and the keys `b` and an empty one. */
export interface Field {
  /** The key as it was typed. */
  readonly typed: string;
  readonly name: string;
  /** The keys in brackets; an empty one appends to an array. */
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** Parses `KEY=VALUE`. Throws a usage error that names the flag when the text has another form. */
export function parseField(typed: string, flag: string): Field & { readonly value: string } {
  const equals = typed.indexOf("=");
  const key = typed.slice(0, equals);
  const [, name = "", inner = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
  if (equals < 1 || name === "") {
    throw new UsageError(`${flag} must be KEY=VALUE, not '${equals < 1 ? typed : key}'`);
  }
  const keys = [...inner.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? "");
  return { typed: key, name, keys, value: typed.slice(equals + 1) };
}

/** The value of `-F`: `true`, `false`, `null` and integers of any size are converted; everything else is a string. */
export function parseValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

type Container = Map<string, unknown> | unknown[];

/**
 * The fields as a JSON object: `a[b]=1` sets `b` of the object `a`, `a[]=1` appends to the array `a`, and `a[][b]=1`
 * sets `b` of the last object in the array, or of a new one when that has `b` already. Throws a usage error for fields
 * that conflict.
 */
export function toBody(fields: readonly Field[]): unknown {
  const body = new Map<string, unknown>();
  for (const field of fields) {
    let container: Container = body;
    const keys = [field.name, ...field.keys];
    keys.forEach((key, depth) => {
      const next = keys[depth + 1];
      if (next === undefined) setValue(container, key, field);
      else container = openContainer(container, key, keys.slice(depth + 1), field);
    });
  }
  return toPlain(body);
}

function setValue(container: Container, key: string, field: Field): void {
  if (Array.isArray(container)) container.push(field.value);
  else if (isContainer(container.get(key))) throw conflict(field);
  else container.set(key, field.value);
}

/** The object or array at a key, created if missing; `rest` is the keys inside it. */
function openContainer(container: Container, key: string, rest: readonly string[], field: Field): Container {
  const isList = rest[0] === "";
  const existing = Array.isArray(container) ? container.at(-1) : container.get(key);
  if (Array.isArray(container)) {
    const continues = existing instanceof Map && !isList && !(rest.length === 1 && existing.has(rest[0] ?? ""));
    if (continues) return existing;
  } else if (existing !== undefined) {
    if (isContainer(existing) && Array.isArray(existing) === isList) return existing;
    throw conflict(field);
  }
  const created: Container = isList ? [] : new Map();
  if (Array.isArray(container)) container.push(created);
  else container.set(key, created);
  return created;
}

function isContainer(value: unknown): value is Container {
  return value instanceof Map || Array.isArray(value);
}

function conflict({ typed }: Field): UsageError {
  return new UsageError(
    `Field ${typed} conflicts with another field: one key cannot be a value, an array and an object`,
  );
}

function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return value;
}

/** The fields as query parameters: repeated fields and `a[]` repeat the parameter. Throws a usage error for `a[b]`. */
export function toQuery(fields: readonly Field[]): Query {
  const query = new Map<string, string[]>();
  for (const { name, keys, value, typed } of fields) {
    if (keys.some((key) => key !== "") || keys.length > 1) {
      throw new UsageError(`Field ${typed} cannot be a query parameter`, "Pass KEY=VALUE or KEY[]=VALUE.");
    }
    query.set(name, [...(query.get(name) ?? []), String(value)]);
  }
  return Object.fromEntries(query);
}
