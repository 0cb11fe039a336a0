import { type Json, listOf, objectOf, resolved, type Schema, schemaOf, textOf } from "./schema.ts";

/** How several values of a parameter are sent: repeated, or joined by a character. */
export type Join = "multi" | "," | " " | "\t" | "|";

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly join: Join;
}

/** The body of a request. */
export interface RequestBody {
  /** How fields become bytes: JSON, a form, a form with files, or not at all: the input is sent as it is. */
  readonly form: "json" | "urlencoded" | "multipart" | "raw";
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** A response that the description lists. */
export interface DescribedAnswer {
  readonly status: string;
  readonly description: string;
  readonly schema: Schema | undefined;
}

/** An operation as the server describes it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** Below the server's address, with `{name}` for each parameter: `/api/v1/repos/{owner}/{repo}`. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly answers: readonly DescribedAnswer[];
  /** The scopes that the description names; empty if it names none. */
  readonly scopes: readonly string[];
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * Reads the operations of a description, OpenAPI 2 or 3; undefined if the value is not a description. `prefix` is the path
 * of the server's address: a server that is below a path describes paths that begin with it.
 */
export function operationsOf(document: unknown, prefix = ""): readonly DescribedOperation[] | undefined {
  const root = objectOf(document);
  const version = textOf(root["swagger"]) ?? textOf(root["openapi"]) ?? "";
  if (!/^[23]\./.test(version) || typeof root["paths"] !== "object" || root["paths"] === null) return undefined;
  const base = basePath(root, prefix);
  const ids = new Set<string>();
  const found: DescribedOperation[] = [];
  for (const [path, value] of Object.entries(objectOf(root["paths"]))) {
    if (!path.startsWith("/")) continue;
    const item = resolved(root, value);
    for (const method of methods) {
      if (typeof item[method] !== "object" || item[method] === null) continue;
      const operation = operationOf(root, item, { method, path: `${base}${path}` });
      if (operation === undefined) continue;
      let { id } = operation;
      for (let copy = 2; ids.has(id); copy += 1) id = `${operation.id}-${copy}`;
      ids.add(id);
      found.push({ ...operation, id });
    }
  }
  return found;
}

/** The path of all operations below the server's address. Only the path: a description never selects another host. */
function basePath(root: Json, prefix: string): string {
  const url = textOf(objectOf(listOf(root["servers"])[0])["url"]);
  const path = textOf(root["basePath"]) ?? (url === undefined ? "/" : pathOf(url));
  const whole = path.replace(/\/+$/, "").replace(/^(?=[^/])/, "/");
  return prefix !== "" && whole.startsWith(`${prefix}/api`) ? whole.slice(prefix.length) : whole;
}

function pathOf(url: string): string {
  return URL.canParse(url, "http://server") ? new URL(url, "http://server").pathname : "/";
}

function operationOf(root: Json, item: Json, at: { readonly method: string; readonly path: string }) {
  const raw = objectOf(item[at.method]);
  const parameters = new Map<string, Json>();
  for (const value of [...listOf(item["parameters"]), ...listOf(raw["parameters"])]) {
    const parameter = resolved(root, value);
    if (typeof parameter["name"] === "string") parameters.set(`${parameter["in"]} ${parameter["name"]}`, parameter);
  }
  const all = [...parameters.values()];
  // Wildcards are written in several ways: {path*}, {+path}, {path...}.
  const path = at.path.replace(/\{\+?([^{}]*?)(?:\*|\.\.\.)?\}/g, "{$1}");
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]));
  const named = all.flatMap((parameter) => parameterOf(root, parameter, inPath));
  const missing = [...inPath].filter((name) => !named.some((one) => one.in === "path" && one.name === name));
  const operation: DescribedOperation = {
    id: textOf(raw["operationId"]) || slug(at.method, path),
    method: at.method.toUpperCase(),
    path,
    tags: listOf(raw["tags"]).filter((tag) => typeof tag === "string"),
    summary: textOf(raw["summary"]) ?? "",
    description: textOf(raw["description"]) ?? "",
    deprecated: raw["deprecated"] === true,
    parameters: [...missing.flatMap((name) => undeclared(root, name)), ...named],
    body: bodyOf(root, raw, all),
    answers: Object.entries(objectOf(raw["responses"])).map(([status, value]) => answerOf(root, status, value)),
    scopes: scopesOf(root, raw),
  };
  return operation;
}

function slug(method: string, path: string): string {
  return `${method}${path.replace(/[^A-Za-z0-9]+/g, "-")}`.replace(/-$/, "");
}

/** A parameter of the path that the description forgot. */
function undeclared(root: Json, name: string | undefined): Parameter[] {
  if (name === undefined) return [];
  const schema = schemaOf(root, { type: "string" });
  return [{ name, in: "path", required: true, description: "", schema, join: "," }];
}

function parameterOf(root: Json, raw: Json, inPath: ReadonlySet<string | undefined>): Parameter[] {
  const name = textOf(raw["name"]) ?? "";
  const place = raw["in"];
  if (place !== "path" && place !== "query" && place !== "header") return [];
  if (place === "path" && !inPath.has(name)) return [];
  // tongs sets these itself.
  if (place === "header" && /^(authorization|accept|content-type)$/i.test(name)) return [];
  const content = Object.values(objectOf(raw["content"]))[0];
  const schema = schemaOf(root, raw["schema"] ?? objectOf(content)["schema"] ?? { ...raw, required: undefined });
  const description = textOf(raw["description"]) ?? schema.description ?? "";
  return [
    { name, in: place, required: place === "path" || raw["required"] === true, description, schema, join: joinOf(raw) },
  ];
}

function joinOf(raw: Json): Join {
  const format = textOf(raw["collectionFormat"]);
  const style = textOf(raw["style"]);
  if (raw["schema"] !== undefined && style === undefined) {
    return raw["in"] === "query" && raw["explode"] !== false ? "multi" : ",";
  }
  if (style === "form" && raw["explode"] !== false) return "multi";
  const joins = { multi: "multi", ssv: " ", spaceDelimited: " ", tsv: "\t", pipes: "|", pipeDelimited: "|" } as const;
  return Object.entries(joins).find(([name]) => name === (style ?? format))?.[1] ?? ",";
}

function bodyOf(root: Json, raw: Json, parameters: readonly Json[]): RequestBody | undefined {
  if (raw["requestBody"] !== undefined) return body3(root, resolved(root, raw["requestBody"]));
  const consumes = listOf(raw["consumes"] ?? root["consumes"]).filter((type) => typeof type === "string");
  const body = parameters.find((parameter) => parameter["in"] === "body");
  if (body !== undefined) {
    const type = consumes.find(isJson) ?? consumes[0] ?? "application/json";
    const schema = schemaOf(root, body["schema"]);
    return { ...(isJson(type) ? jsonBody : rawBody(type)), required: body["required"] === true, schema };
  }
  const fields = parameters.filter((parameter) => parameter["in"] === "formData");
  if (fields.length === 0) return undefined;
  const multipart = consumes.includes("multipart/form-data") || fields.some((field) => field["type"] === "file");
  const required = fields.filter((field) => field["required"] === true).map((field) => field["name"]);
  const properties = Object.fromEntries(fields.map((one) => [String(one["name"]), { ...one, required: undefined }]));
  const schema = schemaOf(root, { type: "object", required, properties });
  return { ...(multipart ? multipartBody : urlencodedBody), required: required.length > 0, schema };
}

const jsonBody = { form: "json", contentType: "application/json" } as const;
const multipartBody = { form: "multipart", contentType: "multipart/form-data" } as const;
const urlencodedBody = { form: "urlencoded", contentType: "application/x-www-form-urlencoded" } as const;
const rawBody = (contentType: string) => ({ form: "raw", contentType }) as const;

function body3(root: Json, raw: Json): RequestBody | undefined {
  const content = objectOf(raw["content"]);
  const types = Object.keys(content);
  const type =
    types.find(isJson) ?? [multipartBody, urlencodedBody].find((body) => types.includes(body.contentType))?.contentType;
  const chosen = type ?? types[0];
  if (chosen === undefined) return undefined;
  const form = isJson(chosen)
    ? jsonBody
    : ([multipartBody, urlencodedBody].find((body) => body.contentType === chosen) ?? rawBody(chosen));
  return { ...form, required: raw["required"] === true, schema: schemaOf(root, objectOf(content[chosen])["schema"]) };
}

function isJson(type: string): boolean {
  return /^(application\/json|\*\/\*|[\w.-]+\/[\w.-]+\+json)\b/i.test(type);
}

function answerOf(root: Json, status: string, value: unknown): DescribedAnswer {
  const raw = resolved(root, value);
  const content = objectOf(raw["content"]);
  const type = Object.keys(content).find(isJson) ?? Object.keys(content)[0];
  const schema = raw["schema"] ?? (type === undefined ? undefined : objectOf(content[type])["schema"]);
  return {
    status,
    description: textOf(raw["description"]) ?? "",
    schema: schema === undefined ? undefined : schemaOf(root, schema),
  };
}

function scopesOf(root: Json, raw: Json): readonly string[] {
  const alternatives = listOf(raw["security"] ?? root["security"]).map(objectOf);
  const scopes = alternatives.flatMap((one) => Object.values(one).flatMap(listOf));
  return [...new Set(scopes.filter((scope) => typeof scope === "string"))];
}

/** Whether the operation lists records page by page: it takes `page` and `limit`, and answers with a list. */
export function isPaged({ method, parameters, answers }: DescribedOperation): boolean {
  const takes = (name: string) => parameters.some((parameter) => parameter.in === "query" && parameter.name === name);
  if (method !== "GET" || !takes("page") || !takes("limit")) return false;
  const success = answers.find(({ status }) => /^2/.test(status))?.schema;
  if (success === undefined || success.type === "array") return true;
  return [...success.fields.values()].filter((field) => field().type === "array").length === 1;
}
