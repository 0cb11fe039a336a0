import { type FieldFacts, factsAt } from "../../forge/facts.ts";
import { recordFacts } from "../../forge/generated/facts.ts";
import {
  apiSettingsGet,
  attachmentSettingsGet,
  repositorySettingsGet,
  uiSettingsGet,
  versionGet,
} from "../../forge/server.ts";
import { pageSize } from "../http/paging.ts";
import { found, refuse } from "../http/reply.ts";
import { type Area, page, type Route, route } from "../http/route.ts";
import { isIn, type Release, recordOf, sinceOf, versionOf } from "../release.ts";
import { runOf } from "../state/repos.ts";

const settings = {
  api: {
    max_response_items: pageSize.most,
    default_paging_num: pageSize.default,
    default_git_trees_per_page: 1000,
    default_max_blob_size: 10_485_760,
    default_max_response_size: 104_857_600,
  },
  repository: {
    mirrors_disabled: true,
    time_tracking_disabled: true,
    lfs_disabled: true,
  },
  ui: {
    default_theme: "gitea-auto",
    allowed_reactions: ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"],
    custom_emojis: ["git", "gitea", "codeberg", "gitlab", "github", "gogs"],
  },
  attachment: { enabled: true, allowed_types: "", max_size: 100, max_files: 5 },
};

/** The server's version and settings, public. */
export const server: Area = [
  route(versionGet, {}, ({ site }) => ({ version: versionOf(site.release) })),
  route(apiSettingsGet, {}, ({ site }) => recordOf(site, "GeneralAPISettings", settings.api)),
  route(repositorySettingsGet, {}, ({ site }) => recordOf(site, "GeneralRepoSettings", settings.repository)),
  route(uiSettingsGet, {}, () => settings.ui),
  route(attachmentSettingsGet, {}, () => settings.attachment),
];

const day = 86_400_000;
const needs = { repo: "actions", signedIn: true, right: "write" } as const;

/**
 * Sandbox-only routes. Uploads any zip file as an artifact of a run: the body is the file, the query has its `name` and
 * optionally its retention (`days`) and `generation`.
 */
export const controls: Area = [
  route(page("POST /sandbox/repos/{owner}/{repo}/actions/runs/{run}/artifacts"), needs, (call) => {
    const { site, repo, query, rawBody } = call;
    const run = found(runOf(site.store, repo.id, call.number("run")), "no such run");
    const days = Number(query.get("days") ?? 90);
    const name = query.get("name") ?? "";
    if (name === "" || !(days >= 0)) refuse(422, "name is required, and days must be a number");
    const created = site.clock();
    const { id } = site.table("artifacts").add({
      repoId: repo.id,
      runId: run.id,
      jobId: 0,
      name,
      generation: query.get("generation") === "3" ? 3 : 4,
      content: rawBody.toString("base64"),
      size: rawBody.length,
      created,
      expires: created + days * day,
    });
    return { id, name, size_in_bytes: rawBody.length };
  }),
];

/** The description of the routes of all areas (OpenAPI 2), as Gitea publishes one at /swagger.v1.json. */
export function description(areas: readonly Area[]): Area {
  return [route(page("GET /swagger.v1.json"), {}, ({ site }) => describe(site.release, areas))];
}

function describe(release: Release, areas: readonly Area[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of areas.flat(2)) {
    const { method, path, web, since } = route;
    if (web || !isIn(release, since)) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, release) };
  }
  return {
    swagger: "2.0",
    info: { title: "The sandbox of tongs", version: versionOf(release) },
    basePath: "/api/v1",
    consumes: ["application/json"],
    produces: ["application/json"],
    paths,
  };
}

function operation({ method, path, body }: Route, release: Release) {
  const facts = factsAt(method, path);
  const [[status, answer] = [method === "POST" ? "201" : "200", ""]] = Object.entries(facts?.answers ?? {});
  const query = Object.entries(facts?.query ?? {}).filter(([, field]) => isIn(release, sinceOf(field)));
  return {
    operationId: facts?.id ?? `${method.toLowerCase()}${path.replace(/\W+/g, "_")}`,
    summary: `${method} ${path}`,
    tags: [path.split("/")[1] ?? ""],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, type: "string" })),
      ...query.map(([name, field]) => {
        return { name, in: "query", collectionFormat: "multi", ...property(typeOf(field), release) };
      }),
      ...(body === undefined ? [] : [{ name: "body", in: "body", schema: property(body, release) }]),
    ],
    responses: { [status]: { description: "", ...(answer.endsWith("[]") ? { schema: { type: "array" } } : {}) } },
  };
}

/** A type of the facts, such as `integer:int64`, `string(open|closed)[]` or `map<string>`, as one of the description. */
function property(type: string, release: Release): Record<string, unknown> {
  if (type.endsWith("[]")) return { type: "array", items: property(type.slice(0, -2), release) };
  if (type.startsWith("map<")) return { type: "object", additionalProperties: { type: "string" } };
  const { fields, required } = recordFacts[type] ?? {};
  if (fields !== undefined) {
    const taken = Object.entries(fields).filter(([, field]) => isIn(release, sinceOf(field)));
    const properties = taken.map(([name, field]) => [name, property(typeOf(field), release)]);
    return { type: "object", required, properties: Object.fromEntries(properties) };
  }
  const [, words] = /^string\((.*)\)$/.exec(type) ?? [];
  const [name = "", format] = type.split(/[:(]/);
  if (words !== undefined) return { type: name, enum: words.split("|") };
  return { ...(name && { type: name }), ...(format && { format }) };
}

const typeOf = (field: FieldFacts) => (typeof field === "string" ? field : field.type);
