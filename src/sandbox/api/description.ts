import { type FieldFacts, factsAt } from "../../forge/facts.ts";
import { recordFacts } from "../../forge/generated/facts.ts";
import { repoGet } from "../../forge/repos.ts";
import { capitalized } from "../../text/format.ts";
import { descriptionPage } from "../http/other-operations.ts";
import { json } from "../http/reply.ts";
import { type Area, type Route, route } from "../http/route.ts";
import { isIn, type Release, sinceOf, versionOf } from "../release.ts";

/** The description of the routes of all areas (OpenAPI 2), as Gitea publishes one at /swagger.v1.json. */
export function description(areas: readonly Area[]): Area {
  return { routes: [route(descriptionPage, {}, ({ site }) => json(200, describe(site.release, areas)))] };
}

/** What is described so far, and the release that it is of. */
interface Draft {
  readonly release: Release;
  readonly definitions: Record<string, unknown>;
}

function describe(release: Release, areas: readonly Area[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const draft: Draft = { release, definitions: {} };
  for (const route of areas
    .flatMap((area) => area.routes)
    .flat()
    .filter(({ web, since }) => !web && isIn(release, since))) {
    const { path } = route;
    const methods = paths[path] ?? {};
    paths[path] = { ...methods, [route.method.toLowerCase()]: operation(route, draft) };
  }
  return {
    swagger: "2.0",
    info: { title: "The sandbox of tongs", version: versionOf(release) },
    basePath: "/api/v1",
    consumes: ["application/json"],
    produces: ["application/json"],
    paths,
    definitions: draft.definitions,
  };
}

function operation({ method, path, body }: Route, draft: Draft) {
  const facts = factsAt(method, path);
  const [[status, answer] = [method === "POST" ? "201" : "200", ""]] = Object.entries(facts?.answers ?? {});
  const query = Object.entries(facts?.query ?? {}).filter(([, field]) => isIn(draft.release, sinceOf(field)));
  return {
    operationId: facts?.id ?? ownOperationId(method, path),
    summary: `${method} ${path}`,
    tags: [path.split("/")[1] ?? ""],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name)),
      ...query.map(queryParameter),
      ...bodyParameter(body, draft),
    ],
    responses: { [status]: { description: "", ...(answer.endsWith("[]") ? { schema: { type: "array" } } : {}) } },
  };
}

/** A name for a route that Gitea does not describe: `GET /repos/{owner}/{repo}/labels/{id}` is `getRepoLabelsById`. */
function ownOperationId(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== "{owner}" && part !== "{repo}");
  const words = parts.map((part) =>
    part.startsWith("{")
      ? `By${capitalized(part.slice(1, -1))}`
      : part
          .split(/[^A-Za-z0-9]+/)
          .map(capitalized)
          .join(""),
  );
  const isRepo = path.startsWith(repoGet.path);
  return `${method.toLowerCase()}${isRepo ? "Repo" : ""}${words.slice(isRepo ? 1 : 0).join("")}`;
}

const numbers = new Set(["id", "index", "run", "job", "page"]);

function pathParameter(name: string) {
  return { name, in: "path", required: true, type: numbers.has(name) ? "integer" : "string" };
}

function queryParameter([name, field]: [name: string, field: FieldFacts]) {
  const type = typeOf(field);
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

function bodyParameter(body: string | undefined, draft: Draft) {
  if (body === undefined) return [];
  return [{ name: "body", in: "body", schema: define(body, draft) }];
}

function define(record: string, draft: Draft) {
  const { definitions, release } = draft;
  const ref = { $ref: `#/definitions/${record}` };
  if (Object.hasOwn(definitions, record)) return ref;
  const { fields = {}, required = [] } = recordFacts[record] ?? {};
  definitions[record] = {};
  const taken = Object.entries(fields).filter(([, field]) => isIn(release, sinceOf(field)));
  const properties = taken.map(([name, field]) => [name, property(typeOf(field), draft)]);
  definitions[record] = { type: "object", required, properties: Object.fromEntries(properties) };
  return ref;
}

/** A type of a field in the facts as a type of the description. */
function property(type: string, draft: Draft): Record<string, unknown> {
  if (type.endsWith("[]")) return { type: "array", items: property(type.slice(0, -2), draft) };
  if (type === "") return {};
  if (type.startsWith("map<")) return { type: "object", additionalProperties: { type: "string" } };
  return Object.hasOwn(recordFacts, type) ? define(type, draft) : itemType(type);
}

const typeOf = (field: FieldFacts) => (typeof field === "string" ? field : field.type);
