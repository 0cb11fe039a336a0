import { UsageError } from "../../failure/failure.ts";
import type { Schema } from "../../forge/openapi/schema.ts";
import { jsonText } from "../../text/json.ts";
import { nearest } from "../../text/nearest.ts";

/** Converts what was typed for a parameter or a field. Throws a usage error if it does not fit the schema. */
export function readValue(name: string, typed: string, schema: Schema): unknown {
  const value = converted(name, typed, schema);
  checkValue(name, value, schema);
  return value;
}

function converted(name: string, typed: string, schema: Schema): unknown {
  const isText = schema.type === "any" || (schema.type === "string" && schema.format === undefined);
  if (typed === "null" && schema.nullable && !isText) return null;
  switch (schema.type) {
    case "integer":
      if (!/^[+-]?\d+$/.test(typed)) throw wrong(name, "must be an integer", typed);
      return Number.isSafeInteger(Number(typed)) ? Number(typed) : BigInt(typed);
    case "number":
      if (typed.trim() === "" || !Number.isFinite(Number(typed))) throw wrong(name, "must be a number", typed);
      return Number(typed);
    case "boolean":
      if (typed !== "true" && typed !== "false") throw wrong(name, "must be true or false", typed);
      return typed === "true";
    case "object":
      return jsonValue(name, typed);
    default:
      return typed;
  }
}

/** Converts the values that were typed for one name: a list if the schema is one. */
export function readValues(name: string, typed: readonly string[], schema: Schema): unknown {
  if (schema.type !== "array") {
    if (typed.length > 1) throw new UsageError(`Parameter ${name} takes one value, not ${typed.length}`);
    return readValue(name, typed[0] ?? "", schema);
  }
  const [only, ...more] = typed;
  if (only !== undefined && more.length === 0 && /^\s*\[/.test(only)) {
    const list = jsonValue(name, only);
    checkValue(name, list, schema);
    return list;
  }
  return typed.map((one) => readValue(name, one, schema.items()));
}

function jsonValue(name: string, typed: string): unknown {
  let isRounded = false;
  let value: unknown;
  try {
    value = JSON.parse(typed, (_key, one: unknown) => {
      isRounded ||= Number.isInteger(one) && !Number.isSafeInteger(one);
      return one;
    });
  } catch {
    throw wrong(name, "must be JSON", typed);
  }
  if (isRounded) throw wrong(name, "has an integer beyond 2^53; pass the whole body with --input", typed);
  return value;
}

function wrong(name: string, rule: string, value: unknown): UsageError {
  const shown = typeof value === "string" ? value : jsonText(value);
  return new UsageError(`Invalid value '${shown.slice(0, 200)}' for ${name}: ${rule}`);
}

/** Throws a usage error that names the field if a value does not fit its schema. */
export function checkValue(name: string, value: unknown, schema: Schema): void {
  if (value === null) {
    if (!schema.nullable) throw wrong(name, "must not be null", value);
    return;
  }
  if (!isKind(value, schema)) throw wrong(name, `must be ${article(schema.type)}`, value);
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value)) {
    throw wrong(name, `must be one of ${schema.enum.map((one) => String(one)).join(", ")}`, value);
  }
  checkRange(name, value, schema);
  if (typeof value === "string") checkFormat(name, value, schema.format);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(`${name}[${index}]`, item, schema.items());
  } else if (typeof value === "object" && schema.type === "object") {
    checkFields(name, new Map(Object.entries(value)), schema);
  }
}

/** Throws a usage error for a missing, an unknown or a wrong field. `name` is empty for the body itself. */
export function checkFields(name: string, values: ReadonlyMap<string, unknown>, schema: Schema): void {
  const path = (field: string) => (name === "" ? field : `${name}.${field}`);
  const missing = schema.required.filter((field) => values.get(field) === undefined);
  if (missing.length > 0) throw new UsageError(`Missing ${missing.map(path).join(", ")}`, "Pass -p NAME=VALUE.");
  for (const [field, value] of values) {
    const declared = schema.fields.get(field) ?? schema.others;
    if (declared === undefined) throw unknownName(path(field), [...schema.fields.keys()].map(path));
    checkValue(path(field), value, declared());
  }
}

/** The error for a name that an operation does not have. */
export function unknownName(name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const all = known.length === 0 ? "The operation takes no parameters." : `Available: ${known.join(", ")}`;
  return new UsageError(`Unknown parameter '${name}'`, near.length > 0 ? `Did you mean: ${near.join(", ")}?` : all);
}

function checkRange(name: string, value: unknown, { minimum, maximum }: Schema): void {
  if (typeof value !== "number" && typeof value !== "bigint") return;
  if (minimum !== undefined && value < minimum) throw wrong(name, `must be at least ${minimum}`, value);
  if (maximum !== undefined && value > maximum) throw wrong(name, `must be at most ${maximum}`, value);
}

function checkFormat(name: string, value: string, format: string | undefined): void {
  const isDate = /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
  if (format === "date-time" && !(isDate && /T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value))) {
    throw wrong(name, "must be a time such as 2026-01-31T09:00:00Z", value);
  }
  if (format === "date" && !(isDate && value.length === 10))
    throw wrong(name, "must be a date such as 2026-01-31", value);
}

function isKind(value: unknown, { type }: Schema): boolean {
  switch (type) {
    case "any":
    case "file":
      return true;
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function article(type: string): string {
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
