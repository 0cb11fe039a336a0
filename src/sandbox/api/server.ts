import {
  apiSettingsGet,
  attachmentSettingsGet,
  repositorySettingsGet,
  uiSettingsGet,
  versionGet,
} from "../../forge/server.ts";
import { addArtifact } from "../actions/artifacts.ts";
import { artifactUpload, forgejoVersion } from "../http/other-operations.ts";
import { pageSize } from "../http/paging.ts";
import { found, json, refuse } from "../http/reply.ts";
import { type Area, route } from "../http/route.ts";
import { versionOf } from "../release.ts";
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
