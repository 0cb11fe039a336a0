import type { Shape } from "./shape.ts";

/**
 * How a value that a server sent differs from its shape, in the fields that tongs relies on: `a pull request: number is
 * missing`. Undefined if it fits. Fields in no list of `used` are not looked at, and words are not compared.
 */
export function mismatch(shape: Shape<unknown>, value: unknown): string | undefined {
  if (shape.type === "list" && shape.item !== undefined && Array.isArray(value))
    return firstMismatch(shape.item, value);
  const fault = faultIn(shape, value);
  if (fault === undefined) return undefined;
  const title = shape.title ?? kinds[shape.type];
  return fault.path === "" ? title : `${title}: ${fault.path} ${fault.what}`;
}

/** The mismatch of the first item that has one. */
function firstMismatch(item: Shape<unknown>, values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const found = mismatch(item, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Fault {
  readonly path: string;
  readonly what: string;
}

const kinds: Readonly<Record<Shape<unknown>["type"], string>> = {
  string: "a string",
  time: "a time",
  integer: "an integer",
  number: "a number",
  boolean: "a boolean",
  list: "a list",
  map: "an object",
  record: "an object",
  any: "a value",
};

function faultIn(shape: Shape<unknown>, value: unknown): Fault | undefined {
  if (value === undefined) return shape.optional ? undefined : { path: "", what: "is missing" };
  const { forms } = shape;
  if (value === null) {
    const fits = shape.nullable || (shape.type === "any" && forms === undefined);
    return fits ? undefined : { path: "", what: "is null" };
  }
  if (forms !== undefined) return faultIn(forms.isSecond(value) ? forms.second : forms.first, value);
  if (!isOfType(shape, value)) return { path: "", what: `is not ${kinds[shape.type]}` };
  if (shape.type === "record") return faultInFields(shape, value as Readonly<Record<string, unknown>>);
  if (shape.item === undefined) return undefined;
  if (Array.isArray(value)) return faultInItems(shape.item, value);
  for (const [key, inner] of Object.entries(value)) {
    const fault = faultIn(shape.item, inner);
    if (fault !== undefined) return below(key, fault);
  }
  return undefined;
}

function faultInItems(item: Shape<unknown>, values: readonly unknown[]): Fault | undefined {
  for (let index = 0; index < values.length; index += 1) {
    const fault = faultIn(item, values[index]);
    if (fault !== undefined) return below(`[${index}]`, fault);
  }
  return undefined;
}

/** The used fields of each shape: thousands of records have the same one. */
const usedFields = new WeakMap<Shape<unknown>, readonly (readonly [name: string, field: Shape<unknown>])[]>();

function usedFieldsOf(shape: Shape<unknown>) {
  let found = usedFields.get(shape);
  if (found === undefined) {
    const all = Object.entries(shape.fields ?? {});
    found = shape.used === undefined ? all : all.filter(([name]) => shape.used?.includes(name));
    usedFields.set(shape, found);
  }
  return found;
}

function faultInFields(shape: Shape<unknown>, value: Readonly<Record<string, unknown>>): Fault | undefined {
  for (const [name, field] of usedFieldsOf(shape)) {
    const fault = faultIn(field, value[name]);
    if (fault !== undefined) return below(name, fault);
  }
  return undefined;
}

function below(name: string, { path, what }: Fault): Fault {
  return { path: path === "" ? name : path.startsWith("[") ? `${name}${path}` : `${name}.${path}`, what };
}

function isOfType({ type, large }: Shape<unknown>, value: unknown): boolean {
  switch (type) {
    case "string":
    case "time":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value) || (large === true && typeof value === "bigint");
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "record":
    case "map":
      return typeof value === "object" && !Array.isArray(value);
    case "any":
      return true;
  }
}
