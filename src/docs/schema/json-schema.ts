import type { Arg } from "../../command/args.ts";
import { type Flag, kebab } from "../../command/flags.ts";
import type { Shape } from "../../forge/records/shape.ts";

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The record that a shape describes. Servers may send more fields than are known, so more are allowed. */
export function schemaOfShape(shape: Shape<unknown>): JsonSchema {
  const { type, ...rest } = plain(shape);
  if (shape.nullable !== true || type === undefined) return type === undefined ? rest : { type, ...rest };
  return { type: [type, "null"], ...rest };
}

function plain(shape: Shape<unknown>): JsonSchema {
  switch (shape.type) {
    case "any":
      return {};
    case "time":
      return { type: "string", format: "date-time" };
    case "list":
      return { type: "array", items: shape.item === undefined ? {} : schemaOfShape(shape.item) };
    case "map":
      return { type: "object", additionalProperties: shape.item === undefined ? true : schemaOfShape(shape.item) };
    case "record": {
      const fields = Object.entries(shape.fields ?? {});
      return {
        type: "object",
        properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOfShape(field)])),
        required: fields.filter(([, field]) => field.optional !== true).map(([name]) => name),
      };
    }
    default:
      return shape.words === undefined ? { type: shape.type } : { type: shape.type, examples: shape.words };
  }
}

/** An argument. Those that take several words are arrays. */
export function schemaOfArg(arg: Arg<unknown>): JsonSchema {
  const one = { type: "string", ...(arg.choices === undefined ? {} : { enum: arg.choices }) };
  if (arg.count === "one" || arg.count === "optional") return { description: arg.description, ...one };
  return { description: arg.description, type: "array", items: one, ...(arg.count === "many" ? { minItems: 1 } : {}) };
}

/** A flag, with its short spelling, and whether `--no-…` turns it off. */
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
