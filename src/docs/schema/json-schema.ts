import type { Arg } from "../../command/args.ts";
import { type Flag, kebab } from "../../command/flags.ts";
import type { Fields, Shape } from "../../shape/shape.ts";

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a record shape. Records that occur more than once are in `$defs`, named after their first occurrence.
 * Additional fields are allowed, because servers may send unknown fields.
 */
export function schemaOfShape(shape: Shape<unknown>): JsonSchema {
  const names = repeated(shape);
  const $defs = Object.fromEntries([...names].map(([fields, name]) => [name, record(fields, names)]));
  return { ...schema(shape, names), ...(names.size === 0 ? {} : { $defs }) };
}

type Names = ReadonlyMap<Fields, string>;

function schema(shape: Shape<unknown>, names: Names): JsonSchema {
  const name = shape.fields === undefined ? undefined : names.get(shape.fields);
  if (name !== undefined) {
    const ref = { $ref: `#/$defs/${name}` };
    return shape.nullable === true ? { anyOf: [ref, { type: "null" }] } : ref;
  }
  const { type, ...rest } = plain(shape, names);
  if (type === undefined) return rest;
  return { type: shape.nullable === true ? [type, "null"] : type, ...rest };
}

function plain(shape: Shape<unknown>, names: Names): JsonSchema {
  const item = shape.item === undefined ? {} : schema(shape.item, names);
  switch (shape.type) {
    case "any": {
      const { forms } = shape;
      return forms === undefined ? {} : { anyOf: [schema(forms.first, names), schema(forms.second, names)] };
    }
    case "time":
      return { type: "string", format: "date-time" };
    case "list":
      return { type: "array", items: item };
    case "map":
      return { type: "object", additionalProperties: item };
    case "record":
      return record(shape.fields ?? {}, names);
    default:
      return shape.words === undefined ? { type: shape.type } : { type: shape.type, examples: shape.words };
  }
}

function record(fields: Fields, names: Names): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, schema(field, names)])),
    required: entries.filter(([, field]) => field.optional !== true).map(([name]) => name),
  };
}

/** The records that occur more than once, with a name for each. */
function repeated(shape: Shape<unknown>): Map<Fields, string> {
  const seen = new Map<Fields, string>();
  const names = new Map<Fields, string>();
  const visit = (inner: Shape<unknown>, name: string): void => {
    if (inner.item !== undefined) visit(inner.item, name);
    if (inner.fields === undefined) return;
    const first = seen.get(inner.fields);
    if (first !== undefined) {
      if (!names.has(inner.fields)) names.set(inner.fields, free(first, [...names.values()]));
      return;
    }
    seen.set(inner.fields, name);
    for (const [key, field] of Object.entries(inner.fields)) visit(field, key);
  };
  visit(shape, "record");
  return names;
}

function free(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? free(`${name}_`, taken) : name;
}

/** The JSON Schema of an argument; an array if it takes several words. */
export function schemaOfArg(arg: Arg<unknown>): JsonSchema {
  const one = { type: "string", ...(arg.choices === undefined ? {} : { enum: arg.choices }) };
  if (arg.count === "one" || arg.count === "optional") return { description: arg.description, ...one };
  return { description: arg.description, type: "array", items: one, ...(arg.count === "many" ? { minItems: 1 } : {}) };
}

/** The JSON Schema of a flag, with its short form and its negation `--no-…`. */
export function schemaOfFlag(key: string, flag: Flag<unknown>): JsonSchema {
  const one = { type: flag.type, ...(flag.choices === undefined ? {} : { enum: flag.choices }) };
  return {
    description: flag.description,
    ...(flag.form === "values" ? { type: "array", items: one } : one),
    ...(flag.default === undefined ? {} : { default: flag.default }),
    ...(flag.short === undefined ? {} : { short: `-${flag.short}` }),
    ...(flag.form === "yes-no" ? { negated: `--no-${kebab(key)}` } : {}),
    ...(flag.hidden === true ? { deprecated: true } : {}),
  };
}

/** The JSON Schemas of the other spellings of a flag, which are deprecated. */
export function aliasSchemas(key: string, flag: Flag<unknown>): [name: string, schema: JsonSchema][] {
  return (flag.aliases ?? []).map(({ name, short, value }) => {
    const no = flag.form === "yes-no" && value === "false" ? "no-" : "";
    const description = `--${no}${kebab(key)}${value === undefined || flag.form === "yes-no" ? "" : ` ${value}`}`;
    const type = value === undefined ? { type: flag.type } : { type: "boolean" };
    const shown = short === undefined ? {} : { short: `-${short}` };
    return [name, { description, ...type, ...shown, deprecated: true }];
  });
}
