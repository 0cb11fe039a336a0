import { UsageError } from "../../failure/failure.ts";
import type { Query } from "../../http/path.ts";

/** One `-f` or `-F`, taken apart: `a[b][]=value` is the name `a` with the steps `b` and the end of a list. */
export interface Field {
  readonly typed: string;
  readonly name: string;
  /** Keys to follow from the name; an empty one stands for the end of a list. */
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** Takes `KEY=VALUE` apart. Throws a usage error that names the flag. */
export function readField(typed: string, flag: string, value: (text: string) => unknown): Field {
  const at = typed.indexOf("=");
  const key = typed.slice(0, at);
  const [, name = "", inner = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? [];
  if (at < 1 || name === "") throw new UsageError(`${flag} wants KEY=VALUE, not '${at < 1 ? typed : key}'`);
  const steps = [...inner.matchAll(/\[([^[\]]*)\]/g)].map((step) => step[1] ?? "");
  return { typed: key, name, steps, value: value(typed.slice(at + 1)) };
}

/** The value of an `-F`: `true`, `false`, `null`, whole numbers of any size; all else is text. */
export function typedValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

type Branch = Map<string, unknown> | unknown[];

/**
 * A JSON object from fields: `a[b]=1` goes into the object `a`, `a[]=1` to the end of the list `a`, and `a[][b]=1` into
 * the last object of that list, or into a new one when it has `b` already. Throws a usage error where two contradict.
 */
export function bodyOf(fields: readonly Field[]): unknown {
  const body = new Map<string, unknown>();
  for (const field of fields) {
    let at: Branch = body;
    const keys = [field.name, ...field.steps];
    keys.forEach((key, depth) => {
      const next = keys[depth + 1];
      if (next === undefined) put(at, key, field.value, field);
      else at = enter(at, key, keys.slice(depth + 1), field);
    });
  }
  return plain(body);
}

function put(at: Branch, key: string, value: unknown, field: Field): void {
  if (Array.isArray(at)) at.push(value);
  else if (at.get(key) instanceof Map || Array.isArray(at.get(key))) throw contradiction(field);
  else at.set(key, value);
}

function enter(at: Branch, key: string, rest: readonly string[], field: Field): Branch {
  const list = rest[0] === "";
  const found = Array.isArray(at) ? at.at(-1) : at.get(key);
  if (Array.isArray(at)) {
    const goesOn = found instanceof Map && !list && !(rest.length === 1 && found.has(rest[0] ?? ""));
    if (goesOn) return found;
  } else if (found !== undefined) {
    if (list ? Array.isArray(found) : found instanceof Map) return found as Branch;
    throw contradiction(field);
  }
  const made: Branch = list ? [] : new Map();
  if (Array.isArray(at)) at.push(made);
  else at.set(key, made);
  return made;
}

function contradiction({ typed }: Field): UsageError {
  return new UsageError(`The field ${typed} contradicts another: one key cannot be a value, a list and an object`);
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return value;
}

/** Query parameters from fields: repeated ones and `a[]` repeat the parameter. */
export function queryOf(fields: readonly Field[]): Query {
  const query = new Map<string, string[]>();
  for (const { name, steps, value, typed } of fields) {
    if (steps.some((step) => step !== "") || steps.length > 1) {
      throw new UsageError(`The field ${typed} has no place in a query`, "A query takes KEY=VALUE and KEY[]=VALUE.");
    }
    query.set(name, [...(query.get(name) ?? []), String(value)]);
  }
  return Object.fromEntries(query);
}
