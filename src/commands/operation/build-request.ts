import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { readFileFlagBytes } from "../../app/input.ts";
import { UsageError } from "../../failure/failure.ts";
import type { DescribedOperation, Parameter, RequestBody } from "../../forge/openapi/operations.ts";
import type { Schema } from "../../forge/openapi/schema.ts";
import type { RawContent } from "../../http/client.ts";
import { describedPath, path as escaped, type Path, type Query, typedPath, wildcard } from "../../http/path.ts";
import type { System } from "../../system/system.ts";
import { jsonText, parseJson } from "../../text/json.ts";
import { encodedName } from "../../text/percent.ts";
import { utf8Text, withoutMark } from "../../text/utf8.ts";
import { checkFields, checkValue, readValue, readValues, unknownName } from "./values.ts";

/** A checked request, ready to be sent. */
export interface CheckedRequest {
  readonly path: Path;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: RawContent | undefined;
}

/** What was typed for an operation. */
export interface Given {
  /** The values of `-p`, in order, by name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly input: string | undefined;
}

/** Parses `-p NAME=VALUE`. Throws a usage error for another form. */
export function parseParameters(typed: readonly string[]): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const one of typed) {
    const equals = one.indexOf("=");
    if (equals < 1) throw new UsageError("--param must be NAME=VALUE");
    const name = one.slice(0, equals);
    values.set(name, [...(values.get(name) ?? []), one.slice(equals + 1)]);
  }
  return values;
}

/** The name that sets a field of the body: `body.username`, if a parameter of the operation is named `username`. */
export function typedName(
  { parameters }: { readonly parameters: readonly { readonly name: string }[] },
  field: string,
) {
  return parameters.some(({ name }) => name === field) ? `body.${field}` : field;
}

/** Checks what was typed against the description and makes the request. Throws a usage error before anything is sent. */
export async function buildRequest(
  operation: DescribedOperation,
  { values, input }: Given,
  system: System,
): Promise<CheckedRequest> {
  const { parameters } = operation;
  const typed = new Map<Parameter, readonly string[]>();
  const fields = new Map<string, readonly string[]>();
  for (const [name, list] of values) {
    const parameter = parameters.find((one) => one.name === name);
    if (parameter !== undefined) typed.set(parameter, list);
    else
      fields.set(
        [...(operation.body?.schema.fields.keys() ?? [])].find((one) => typedName(operation, one) === name) ?? name,
        list,
      );
  }
  refuseMissing(parameters.filter((one) => one.required && !typed.has(one)).map((one) => one.name));
  const inPlace = (place: Parameter["in"]) => [...typed].filter(([parameter]) => parameter.in === place);
  return {
    path: requestPath(operation.path, inPlace("path")),
    query: Object.fromEntries(inPlace("query").map(([one, list]) => [one.name, queryValues(one, list)])),
    headers: Object.fromEntries(inPlace("header").map(([one, list]) => [one.name, headerValue(one, list)])),
    raw: await requestBody(operation, { values: fields, input }, system),
  };
}

function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw new UsageError(`Missing ${missing.join(", ")}`, `Pass -p ${missing[0]}=VALUE.`);
}

function requestPath(template: string, given: readonly (readonly [Parameter, readonly string[]])[]): Path {
  const segments = template.split("/").slice(1);
  const built = segments.map((segment, index) => {
    const whole = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (whole !== undefined && index === segments.length - 1 && isWide(whole)) {
      return wildcard(typedPath(""), joined(given, whole)).slice("//".length);
    }
    const filled = segment.split(/\{([^{}]+)\}/).map((part, at) => {
      return at % 2 === 1 ? escaped`${joined(given, part)}` : part.replace(/[^\w.~!$&'()*+,;=:@%-]+/g, encodedName);
    });
    return unless(isDots(filled.join("")), filled.join(""), template);
  });
  return describedPath(typedPath(built.join("/")));
}

/** Whether a segment is `.` or `..`, which would leave the path. */
function isDots(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function unless(wrong: boolean, segment: string, template: string): string {
  if (wrong) throw new UsageError(`The description has an invalid path: ${template}`);
  return segment;
}

/** Parameters that hold a path: their slashes are kept (docs/server-differences.md, "Descriptions"). */
function isWide(name: string): boolean {
  return /^(filepath|path|\*)$/i.test(name);
}

function joined(given: readonly (readonly [Parameter, readonly string[]])[], name: string): string {
  const [parameter, typed = []] = given.find(([one]) => one.name === name) ?? [];
  if (parameter === undefined) throw new UsageError(`Missing ${name}`, `Pass -p ${name}=VALUE.`);
  return values(parameter, typed).join(",");
}

/** The checked values of a parameter as text: several if it is a list. */
function values({ name, schema }: Parameter, typed: readonly string[]): string[] {
  const value = readValues(name, typed, schema);
  return (Array.isArray(value) ? value : [value]).map((one) => (typeof one === "object" ? jsonText(one) : String(one)));
}

function queryValues(parameter: Parameter, typed: readonly string[]): readonly string[] | string {
  const all = values(parameter, typed);
  return parameter.join === "multi" ? all : all.join(parameter.join);
}

function headerValue(parameter: Parameter, typed: readonly string[]): string {
  const value = values(parameter, typed).join(",");
  if (/[\r\n\0]/.test(value)) throw new UsageError(`Invalid value for ${parameter.name}: must be one line`);
  return value;
}

async function requestBody(
  operation: DescribedOperation,
  { values: fields, input }: Given,
  system: System,
): Promise<RawContent | undefined> {
  const { body, parameters } = operation;
  const settable = input === undefined && body !== undefined && body.form !== "raw" ? body.schema.fields.keys() : [];
  const known = () => [
    ...parameters.map((one) => one.name),
    ...[...settable].map((field) => typedName(operation, field)),
  ];
  if (body === undefined) {
    const [unknown] = fields.keys();
    if (unknown !== undefined) throw unknownName(unknown, known());
    if (input !== undefined) throw new UsageError("--input: the operation takes no body");
    return undefined;
  }
  if (input !== undefined) {
    const [unknown] = fields.keys();
    if (unknown !== undefined) throw unknownName(unknown, known());
    return inputBody(body, await readFileFlagBytes("--input", input, system));
  }
  if (fields.size === 0 && !body.required && body.schema.required.length === 0) return undefined;
  if (body.form === "raw" || !isObject(body.schema)) {
    throw new UsageError("The operation takes a body", "Pass it with --input FILE, or --input - for stdin.");
  }
  for (const name of fields.keys()) {
    if (fieldOf(body.schema, name) === undefined) throw unknownName(name, known());
  }
  const isGiven = (field: string) => [...fields.keys()].some((name) => name === field || name.startsWith(`${field}.`));
  refuseMissing(body.schema.required.filter((field) => !isGiven(field)).map((field) => typedName(operation, field)));
  if (body.form === "multipart") return multipart(body.schema, fields, system);
  const content = nested(body.schema, fields);
  checkFields("", new Map(Object.entries(content)), body.schema);
  return body.form === "json" ? json(jsonText(content)) : urlencoded(content);
}

function isObject({ type }: Schema): boolean {
  return type === "object" || type === "any";
}

const json = (content: string | Buffer): RawContent => ({ content, type: "application/json" });

async function inputBody(body: RequestBody, bytes: Buffer): Promise<RawContent> {
  if (body.form !== "json") return { content: bytes, type: body.contentType };
  let value: unknown;
  try {
    value = await parseJson(utf8Text(bytes));
  } catch {
    throw new UsageError("--input is not valid JSON");
  }
  if (body.schema.type === "object" && typeof value === "object" && value !== null && !Array.isArray(value)) {
    checkFields("", new Map(Object.entries(value)), body.schema);
  } else checkValue("--input", value, body.schema);
  return json(withoutMark(bytes));
}

/** The schema of a field: `title`, or `config.url` inside an object. */
function fieldOf(schema: Schema, name: string): Schema | undefined {
  const whole = schema.fields.get(name);
  if (whole !== undefined) return whole();
  const dot = name.indexOf(".");
  const outer = dot < 1 ? undefined : schema.fields.get(name.slice(0, dot))?.();
  if (outer !== undefined && isObject(outer)) return fieldOf(outer, name.slice(dot + 1));
  return schema.others?.();
}

/** The fields as an object, with objects inside it for `config.url`. */
function nested(schema: Schema, fields: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const whole = new Map<string, unknown>();
  const inside = new Map<string, Map<string, readonly string[]>>();
  for (const [name, typed] of fields) {
    const dot = name.indexOf(".");
    const outer = name.slice(0, dot);
    if (!schema.fields.has(name) && dot > 0 && schema.fields.has(outer)) {
      inside.set(outer, (inside.get(outer) ?? new Map()).set(name.slice(dot + 1), typed));
    } else whole.set(name, readValues(name, typed, fieldOf(schema, name) ?? schema));
  }
  for (const [name, some] of inside) {
    if (whole.has(name)) throw new UsageError(`${name} and ${name}.… cannot be combined`);
    whole.set(name, nested(fieldOf(schema, name) ?? schema, some));
  }
  return Object.fromEntries(whole);
}

function urlencoded(content: Readonly<Record<string, unknown>>): RawContent {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(content)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one));
  }
  return { content: form.toString(), type: "application/x-www-form-urlencoded" };
}

/** A form with files: the value of a file field is its path, or - for stdin. */
async function multipart(
  schema: Schema,
  fields: ReadonlyMap<string, readonly string[]>,
  system: System,
): Promise<RawContent> {
  const boundary = `tongs-${randomBytes(16).toString("hex")}`;
  const quoted = (name: string) => name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const parts: Buffer[] = [];
  for (const [name, typed] of fields) {
    const field = fieldOf(schema, name) ?? schema;
    for (const one of typed) {
      const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
      if (field.type === "file") {
        const bytes = await readFileFlagBytes(`-p ${name}`, one, system);
        const file = `; filename="${quoted(one === "-" ? "stdin" : basename(one))}"\r\nContent-Type: application/octet-stream`;
        parts.push(Buffer.from(`${disposition}${file}\r\n\r\n`), bytes, Buffer.from("\r\n"));
      } else {
        const schemaOfOne = field.type === "array" ? field.items() : field;
        const value = String(readValue(name, one, schemaOfOne));
        parts.push(Buffer.from(`${disposition}\r\n\r\n${value}\r\n`));
      }
    }
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { content: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}
