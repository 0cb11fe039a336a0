import { UsageError } from "../failure/failure.ts";
import { type Fields, fieldsOf, type Shape } from "./shape.ts";

/** Splits `number,user.login` into paths. */
export function fieldPaths(typed: string): string[] {
  return typed
    .split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "");
}

/** Whether a dotted path is a field of the shape. Maps and `anything` have any field. */
export function hasField(shape: Shape<unknown>, path: string): boolean {
  let fields: Fields | undefined = fieldsOf(shape);
  for (const part of path.split(".")) {
    if (fields === undefined) return true;
    const inner: Shape<unknown> | undefined = Object.hasOwn(fields, part) ? fields[part] : undefined;
    if (inner === undefined) return false;
    fields = leafOf(inner);
  }
  return true;
}

function leafOf(shape: Shape<unknown>): Fields | undefined {
  if (shape.type === "list" && shape.item) return leafOf(shape.item);
  if (shape.type === "record") return shape.fields ?? {};
  return shape.type === "any" || shape.type === "map" ? undefined : {};
}

/** Checks the requested fields. Throws a usage error for an unknown one. */
export function checkFields(shape: Shape<unknown> | undefined, paths: readonly string[]): void {
  const known = Object.keys(shape === undefined ? {} : fieldsOf(shape));
  if (shape === undefined || known.length === 0)
    throw new UsageError("This command does not print a record: --json does not accept fields");
  const unknown = paths.filter((path) => !hasField(shape, path));
  if (unknown.length === 0) return;
  throw new UsageError(
    `Unknown field${unknown.length > 1 ? "s" : ""} ${unknown.join(", ")}`,
    `Available fields: ${known.join(", ")}`,
  );
}

/** The record with only these fields, nested as in the record; lists keep their length. */
export function pick(record: unknown, paths: readonly string[]): unknown {
  const wanted = new Map<string, string[]>();
  for (const path of paths) {
    const [first = "", ...rest] = path.split(".");
    const inner = wanted.get(first) ?? [];
    if (rest.length > 0) inner.push(rest.join("."));
    wanted.set(first, inner);
  }
  return pickFields(record, wanted);
}

function pickFields(value: unknown, wanted: ReadonlyMap<string, readonly string[]>): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFields(item, wanted));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  const kept = [...wanted].map(([name, inner]): [string, unknown] => {
    const found = fields.find(([key]) => key === name)?.[1];
    return [name, found === undefined ? null : inner.length === 0 ? found : pick(found, inner)];
  });
  return Object.fromEntries(kept);
}

/** The value at a path, for CSV; for a list, the values of its items. */
export function valueAt(value: unknown, parts: readonly string[]): unknown {
  const [first, ...rest] = parts;
  if (first === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return null;
  return valueAt((value as Readonly<Record<string, unknown>>)[first], rest);
}
