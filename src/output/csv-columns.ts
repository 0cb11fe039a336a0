import { fieldsOf, type Shape } from "../shape/shape.ts";
import type { Column } from "./table.ts";

/**
 * The fields of the columns of a table, by their API names: `number`, `user.login`. Each column is tried on a sample of the
 * record, and the field that it reads is its field: the one with the name of the header, or else the first. A list of plain
 * values has no fields: its column has the name of the header.
 */
export function csvColumns<T>(columns: readonly Column<T>[], shape: Shape<unknown> | undefined): string[] {
  if (shape === undefined) return [];
  if (shape.item?.type === "string") return columns.map(({ header }) => header.toLowerCase());
  const found = columns.flatMap((column) => fieldOf(column, shape) ?? []);
  return [...new Set(found)];
}

function fieldOf<T>({ header, cell }: Column<T>, shape: Shape<unknown>): string | undefined {
  const read: string[] = [];
  try {
    cell(recorded(sampleOf(fieldsOf(shape)), "", read) as T);
  } catch {
    // The sample lacks something that the cell needs; what it read until then counts.
  }
  const name = header.toLowerCase().replaceAll(" ", "_");
  if (read.includes(name)) return name;
  return read[0] ?? (Object.hasOwn(fieldsOf(shape), name) ? name : undefined);
}

/** A value of which nothing is known: any field of it can be read. */
class Unknown {}

/** A record that notes which of its fields are read to their end: `head.label`, not `head`. */
function recorded(sample: object, prefix: string, read: string[]): object {
  return new Proxy(sample, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== "string") return value;
      const path = `${prefix}${key}`;
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return recorded(value, `${path}.`, read);
      if (Object.hasOwn(target, key) || (target instanceof Unknown && value === undefined)) read.push(path);
      return target instanceof Unknown && value === undefined ? "" : value;
    },
  });
}

/** A record with a value for each field. */
function sampleOf(fields: ReturnType<typeof fieldsOf>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, sampleValue(shape)]));
}

function sampleValue(shape: Shape<unknown>): unknown {
  if (shape.fields !== undefined) return sampleOf(shape.fields);
  switch (shape.type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "time":
      return "2026-01-01T00:00:00Z";
    case "list":
      return [];
    case "map":
      return {};
    case "any":
      return new Unknown();
    default:
      return "";
  }
}
