/** An object of a description. Descriptions come from servers: nothing in them is taken for granted. */
export type Json = Readonly<Record<string, unknown>>;

/** The type of a value, as far as it can be checked before it is sent. */
export type ValueKind = "string" | "integer" | "number" | "boolean" | "array" | "object" | "file" | "any";

/** What a description says about a value, alike for OpenAPI 2 and 3. */
export interface Schema {
  readonly type: ValueKind;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
  readonly nullable: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Of an array. A function, because descriptions refer to themselves. */
  readonly items: () => Schema;
  /** The fields of an object. */
  readonly fields: ReadonlyMap<string, () => Schema>;
  readonly required: readonly string[];
  /** The values of further keys of an object; undefined if it has no others. */
  readonly others: (() => Schema) | undefined;
}

/** The value as an object; an empty one if it is something else. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The value as a list; an empty one if it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** How many references follow each other at most: `a` can refer to `b`, and `b` to `a`. */
const maxHops = 50;

/**
 * Follows `$ref` (`#/definitions/Repository`). A reference to another document, to itself or to nothing is an empty
 * object: nothing is fetched because a description says so.
 */
export function resolved(document: Json, value: unknown): Json {
  let found = objectOf(value);
  for (let hop = 0; ; hop += 1) {
    const ref = textOf(found["$ref"]);
    if (ref === undefined) return found;
    if (!ref.startsWith("#/") || hop === maxHops) return {};
    let target: unknown = document;
    for (const step of ref.slice(2).split("/")) target = own(objectOf(target), pointerStep(step));
    found = objectOf(target);
  }
}

/** A step of a JSON pointer (RFC 6901), as it is written in a URL. */
function pointerStep(step: string): string {
  let plain = step;
  try {
    plain = decodeURIComponent(step);
  } catch {
    // It is not encoded after all.
  }
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

const any: Schema = {
  type: "any",
  nullable: true,
  items: () => any,
  fields: new Map(),
  required: [],
  others: () => any,
};

/** How many schemas `allOf` and its like join at most: each can refer to several others, and they to it. */
const maxParts = 100;

/** Reads a schema, or an OpenAPI 2 parameter, which has the same keys. */
export function schemaOf(document: Json, value: unknown): Schema {
  return merged(document, value, { left: maxParts });
}

/** `left` is how many more schemas may be joined. */
function merged(document: Json, value: unknown, parts: { left: number }): Schema {
  parts.left -= 1;
  if (parts.left < 0) return any;
  const raw = resolved(document, value);
  const nulls = (part: unknown) => resolved(document, part)["type"] === "null";
  const alternatives = [...listOf(raw["oneOf"]), ...listOf(raw["anyOf"])];
  const real = alternatives.filter((part) => !nulls(part));
  const nullable =
    raw["nullable"] === true || raw["x-nullable"] === true || real.length < alternatives.length || hasNull(raw);
  // Of several alternatives any can be right, so that nothing is checked.
  if (real.length > 1) return { ...any, description: textOf(raw["description"]) };
  const others = [...listOf(raw["allOf"]), ...real].map((part) => merged(document, part, parts));
  const plain = plainSchema(document, raw, nullable);
  return others.reduce((whole, part) => joined(whole, part), plain);
}

/** In OpenAPI 3.1 `null` is one of several types. */
function hasNull(raw: Json): boolean {
  return listOf(raw["type"]).includes("null");
}

function plainSchema(document: Json, raw: Json, nullable: boolean): Schema {
  const fields = Object.entries(objectOf(raw["properties"]));
  const more = raw["additionalProperties"];
  const type = kindOf(raw, fields.length > 0);
  const others = typeof more === "object" && more !== null ? () => schemaOf(document, more) : () => any;
  const closed = more === false || (more === undefined && fields.length > 0);
  // A field that is read-only is required in responses only.
  const readOnly = new Set(
    fields.flatMap(([name, field]) => (resolved(document, field)["readOnly"] === true ? [name] : [])),
  );
  return {
    type,
    format: textOf(raw["format"]),
    description: textOf(raw["description"]),
    enum: Array.isArray(raw["enum"]) && raw["enum"].length > 0 ? raw["enum"] : undefined,
    default: raw["default"],
    nullable,
    minimum: numberOf(raw["minimum"]),
    maximum: numberOf(raw["maximum"]),
    items: () => schemaOf(document, raw["items"]),
    fields: new Map(fields.map(([name, field]) => [name, () => schemaOf(document, field)])),
    required: listOf(raw["required"]).filter((name): name is string => typeof name === "string" && !readOnly.has(name)),
    others: closed ? undefined : others,
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const kinds: readonly ValueKind[] = ["string", "integer", "number", "boolean", "array", "object", "file"];

function kindOf(raw: Json, hasFields: boolean): ValueKind {
  const named = listOf(raw["type"]).filter((type) => type !== "null");
  const type = Array.isArray(raw["type"]) ? (named.length === 1 ? named[0] : undefined) : raw["type"];
  // A file of OpenAPI 3.
  if (type === "string" && raw["format"] === "binary") return "file";
  const known = kinds.find((kind) => kind === type);
  if (known !== undefined) return known;
  return hasFields || raw["additionalProperties"] !== undefined ? "object" : "any";
}

/** Both parts of `allOf`. */
function joined(one: Schema, other: Schema): Schema {
  return {
    ...other,
    type: one.type === "any" ? other.type : one.type,
    format: one.format ?? other.format,
    description: one.description ?? other.description,
    enum: one.enum ?? other.enum,
    default: one.default ?? other.default,
    nullable: one.nullable || other.nullable,
    items: one.type === "array" ? one.items : other.items,
    fields: new Map([...one.fields, ...other.fields, ...one.fields]),
    required: [...new Set([...one.required, ...other.required])],
    others: one.others === undefined ? other.others : one.type === "any" ? other.others : one.others,
  };
}

/** The type for people: `integer`, `array of string`, `string (date-time)`. */
export function typeText(schema: Schema): string {
  if (schema.type === "array") {
    const { type, format } = schema.items();
    return `array of ${format === undefined || type === "array" ? type : `${type} (${format})`}`;
  }
  const { type, format } = schema;
  return format === undefined || type === "file" || format === type ? type : `${type} (${format})`;
}
