import { type FieldFacts, factsAt } from "../../forge/facts.ts";
import { recordFacts } from "../../forge/generated/facts.ts";
import {
  apiSettingsGet,
  attachmentSettingsGet,
  repositorySettingsGet,
  uiSettingsGet,
  versionGet,
} from "../../forge/server.ts";
import { addArtifact } from "../actions/artifacts.ts";
import { artifactUpload, descriptionPage, forgejoVersion } from "../http/other-operations.ts";
import { pageSize } from "../http/paging.ts";
import { found, json, refuse } from "../http/reply.ts";
import { type Area, type Route, route } from "../http/route.ts";
import { isIn, type Release, sinceOf, versionOf } from "../release.ts";
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
    http_git_disabled: false,
    migrations_disabled: false,
    stars_disabled: false,
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
export const server: Area = {
  routes: [
    route(versionGet, {}, ({ site }) => json(200, { version: versionOf(site.release) })),
    route(forgejoVersion, {}, ({ site }) => json(200, { version: versionOf(site.release) })),
    route(apiSettingsGet, {}, () => json(200, settings.api)),
    route(repositorySettingsGet, {}, () => json(200, settings.repository)),
    route(uiSettingsGet, {}, () => json(200, settings.ui)),
    route(attachmentSettingsGet, {}, () => json(200, settings.attachment)),
  ],
};

const day = 86_400_000;
const needs = { repo: "actions", signedIn: true, right: "write" } as const;

/**
 * Sandbox-only routes. Uploads any zip file as an artifact of a run: the body is the file, the query has its `name` and
 * optionally its retention (`days`) and `generation`.
 */
export const controls: Area = {
  routes: [
    route(artifactUpload, needs, (call) => {
      const { site, repo, query, rawBody } = call;
      const run = found(runOf(site.store, repo.id, call.number("run")), "no such run");
      const days = Number(query.get("days") ?? 90);
      const name = query.get("name") ?? "";
      if (name === "" || !(days >= 0)) refuse(422, "name is required, and days must be a number");
      const created = site.clock();
      const { id } = addArtifact(site, {
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
      return json(201, { id, name, size_in_bytes: rawBody.length });
    }),
  ],
};

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
  for (const route of areas.flatMap((area) => area.routes).flat()) {
    const { method, path, web, since } = route;
    if (web || !isIn(release, since)) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, draft) };
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
    operationId: facts?.id ?? `${method.toLowerCase()}${path.replace(/\W+/g, "_")}`,
    summary: `${method} ${path}`,
    tags: [path.split("/")[1] ?? ""],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
        name,
        in: "path",
        required: true,
        type: "string",
      })),
      ...query.map(queryParameter),
      ...(body === undefined ? [] : [{ name: "body", in: "body", schema: define(body, draft) }]),
    ],
    responses: { [status]: { description: "", ...(answer.endsWith("[]") ? { schema: { type: "array" } } : {}) } },
  };
}

function queryParameter([name, field]: [name: string, field: FieldFacts]) {
  const type = typeOf(field);
  const item = itemType(type.replace(/\[\]$/, ""));
  const list = { type: "array", items: item, collectionFormat: "multi" };
  return { name, in: "query", ...(type.endsWith("[]") ? list : item) };
}

/** `integer:int64`, `string(open|closed)` as a type of the description. */
function itemType(type: string) {
  const [, words] = /^string\((.*)\)$/.exec(type) ?? [];
  if (words !== undefined) return { type: "string", enum: words.split("|") };
  const [name = "string", format] = type.split(":");
  return format === undefined ? { type: name } : { type: name, format };
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
