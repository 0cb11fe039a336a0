import { UsageError } from "../failure/failure.ts";
import { type Fields, fieldsOf, type Shape } from "./shape.ts";

/** Splits `number,user.login` into paths. */
export function fieldPaths(typed: string): string[] {
  return typed
    .split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "");
}

/** Whether a dotted path names a field of the shape. Maps and unspecified values hold anything. */
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

/** Checks the fields that were asked for, before anything is sent. */
export function checkFields(shape: Shape<unknown> | undefined, paths: readonly string[]): void {
  if (shape === undefined) throw new UsageError("This command has no record, so --json takes no fields here");
  const unknown = paths.filter((path) => !hasField(shape, path));
  if (unknown.length === 0) return;
  const known = Object.keys(fieldsOf(shape)).join(", ");
  throw new UsageError(`Unknown field${unknown.length > 1 ? "s" : ""} ${unknown.join(", ")}`, `Fields: ${known}`);
}

/** The record with only these fields, nested as the server nests them; lists keep their length. */
export function pick(record: unknown, paths: readonly string[]): unknown {
  const wanted = new Map<string, string[]>();
  for (const path of paths) {
    const [first = "", ...rest] = path.split(".");
    const inner = wanted.get(first) ?? [];
    if (rest.length > 0) inner.push(rest.join("."));
    wanted.set(first, inner);
  }
  return narrowed(record, wanted);
}

function narrowed(value: unknown, wanted: ReadonlyMap<string, readonly string[]>): unknown {
  if (Array.isArray(value)) return value.map((item) => narrowed(item, wanted));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  const kept = [...wanted].map(([name, inner]): [string, unknown] => {
    const found = fields.find(([key]) => key === name)?.[1];
    return [name, found === undefined ? null : inner.length === 0 ? found : pick(found, inner)];
  });
  return Object.fromEntries(kept);
}

/** The value at a dotted path, for CSV; lists are looked into. */
export function reach(value: unknown, parts: readonly string[]): unknown {
  const [first, ...rest] = parts;
  if (first === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => reach(item, parts));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return null;
  return reach((value as Readonly<Record<string, unknown>>)[first], rest);
}
