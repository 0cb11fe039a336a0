import type { Field, Form, Kind } from "../http/form.ts";
import { json } from "../http/reply.ts";
import { type Area, get, type Needs, type Route } from "../http/route.ts";
import { operationIds } from "./operation-ids.ts";
import { version } from "./server.ts";

/** Query parameters of lists and searches, which handlers read themselves, by the end of the path. */
const queries: readonly (readonly [path: RegExp, ...names: string[]])[] = [
  [/\/issues$/, "state:open|closed|all", "type:issues|pulls", "labels", "q", "milestones", "created_by", "assigned_by"],
  [/\/pulls$/, "state:open|closed|all", "sort", "milestone:integer", "labels:integers", "poster"],
  [/\/issues\/search$/, "state:open|closed|all", "type:issues|pulls", "labels", "q", "owner"],
  [/\/(repos|users)\/search$/, "q"],
  [/\/actions\/runs$/, "event", "branch", "status:strings", "actor", "head_sha"],
  [/\/milestones$/, "state:open|closed|all", "name"],
  [/\/(contents|raw)(\/\{\w+\})?$/, "ref"],
  [/\/commits$/, "sha", "path"],
  [/\/admin\/hooks$/, "type:system|default|all"],
  [/\/hooks\/\{id\}\/tests$/, "ref"],
];

/** Lists have names in the plural; these do not. */
const notLists = /\/(tests|status|permissions|contents|languages|settings|topics|issue_templates)$/;

/** The description of the routes of all areas (OpenAPI 2), as Gitea publishes one at /swagger.v1.json. */
export function description(areas: readonly Area[]): Area {
  return { routes: [], pages: [get("/swagger.v1.json", {}, () => json(200, describe(areas)))] };
}

function describe(areas: readonly Area[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const definitions: Record<string, unknown> = {};
  for (const route of areas.flatMap((area) => area.routes)) {
    const path = route.path.replaceAll("…}", "}");
    const methods = paths[path] ?? {};
    paths[path] = { ...methods, [route.method.toLowerCase()]: operation(route, path, definitions) };
  }
  return {
    swagger: "2.0",
    info: { title: "The sandbox of tongs", version },
    basePath: "/api/v1",
    consumes: ["application/json"],
    produces: ["application/json"],
    paths,
    definitions,
  };
}

function operation({ method, needs }: Route, path: string, definitions: Record<string, unknown>) {
  const body = bodyParameter(needs, definitions);
  const isList = method === "GET" && /s$/.test(path) && !notLists.test(path);
  const words = [...(queries.find(([pattern]) => pattern.test(path))?.slice(1) ?? [])].filter(
    (word): word is string => typeof word === "string" && (method === "GET" || word === "ref"),
  );
  const paging = isList ? ["page:integer", "limit:integer"] : [];
  return {
    operationId: operationIds[path]?.[method.toLowerCase()] ?? ownOperationId(method, path),
    summary: `${method} ${path}`,
    tags: [path.split("/")[1] ?? ""],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name)),
      ...[...words, ...paging].map(queryParameter),
      ...body,
    ],
    responses: {
      [method === "POST" ? 201 : 200]: { description: "", ...(isList ? { schema: { type: "array" } } : {}) },
    },
  };
}

/** A name for a route that Gitea does not describe: `GET /repos/{owner}/{repo}/labels/{id}` is `getRepoLabelsById`. */
function ownOperationId(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== "{owner}" && part !== "{repo}");
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const words = parts.map((part) =>
    part.startsWith("{")
      ? `By${capital(part.slice(1, -1))}`
      : part
          .split(/[^A-Za-z0-9]+/)
          .map(capital)
          .join(""),
  );
  const isRepo = path.startsWith("/repos/{owner}/{repo}");
  return `${method.toLowerCase()}${isRepo ? "Repo" : ""}${words.slice(isRepo ? 1 : 0).join("")}`;
}

const numbers = new Set(["id", "index", "run", "job", "page"]);

function pathParameter(name: string) {
  return { name, in: "path", required: true, type: numbers.has(name) ? "integer" : "string" };
}

/** `state:open|closed`, `page:integer`, `status:strings`, or a name alone. */
function queryParameter(word: string) {
  const [name = "", type = "string"] = word.split(":");
  const base = { name, in: "query" };
  if (type.includes("|")) return { ...base, type: "string", enum: type.split("|") };
  if (type === "integers" || type === "strings") {
    return { ...base, type: "array", items: { type: type.slice(0, -1) }, collectionFormat: "multi" };
  }
  return { ...base, type };
}

function bodyParameter({ body }: Needs, definitions: Record<string, unknown>) {
  if (body === undefined) return [];
  return [{ name: "body", in: "body", schema: define(body, definitions) }];
}

function define(form: Form, definitions: Record<string, unknown>) {
  const ref = { $ref: `#/definitions/${form.type}` };
  if (Object.hasOwn(definitions, form.type)) return ref;
  const fields = Object.entries(form.fields);
  definitions[form.type] = {};
  definitions[form.type] = {
    type: "object",
    required: fields.filter(([, field]) => field.required).map(([name]) => name),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, property(field, definitions)])),
  };
  return ref;
}

function property({ kind }: Field, definitions: Record<string, unknown>): Record<string, unknown> {
  if (typeof kind !== "object") return simple[kind];
  return "type" in kind ? define(kind, definitions) : { type: "array", items: define(kind[0], definitions) };
}

const simple: Readonly<Record<Extract<Kind, string>, Record<string, unknown>>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int64: { type: "integer", format: "int64" },
  time: { type: "string", format: "date-time" },
  "[]string": { type: "array", items: { type: "string" } },
  "[]int64": { type: "array", items: { type: "integer" } },
  "[]any": { type: "array", items: {} },
  map: { type: "object", additionalProperties: { type: "string" } },
};
