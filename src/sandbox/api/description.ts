import { type FieldFacts, factsAt } from "../../forge/facts.ts";
import type { Field, Form, Kind } from "../http/form.ts";
import { json } from "../http/reply.ts";
import { type Area, get, type Needs, type Route } from "../http/route.ts";
import { version } from "./server.ts";

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
  const facts = factsAt(method, path);
  const [[status, answer] = [method === "POST" ? "201" : "200", ""]] = Object.entries(facts?.answers ?? {});
  const query = Object.entries(facts?.query ?? {}).filter(
    ([, field]) => typeof field === "string" || field.gitea !== "-",
  );
  return {
    operationId: facts?.id ?? ownOperationId(method, path),
    summary: `${method} ${path}`,
    tags: [path.split("/")[1] ?? ""],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name)),
      ...query.map(queryParameter),
      ...bodyParameter(needs, definitions),
    ],
    responses: { [status]: { description: "", ...(answer.endsWith("[]") ? { schema: { type: "array" } } : {}) } },
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

function queryParameter([name, field]: [name: string, field: FieldFacts]) {
  const type = typeof field === "string" ? field : field.type;
  const base = { name, in: "query" };
  const item = itemType(type.replace(/\[\]$/, ""));
  return type.endsWith("[]")
    ? { ...base, type: "array", items: item, collectionFormat: "multi" }
    : { ...base, ...item };
}

/** `integer:int64`, `string(open|closed)` as a type of the description. */
function itemType(type: string) {
  const [, words] = /^string\((.*)\)$/.exec(type) ?? [];
  if (words !== undefined) return { type: "string", enum: words.split("|") };
  const [name = "string", format] = type.split(":");
  return format === undefined ? { type: name } : { type: name, format };
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
