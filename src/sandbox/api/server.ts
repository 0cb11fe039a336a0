import { pageSize } from "../http/paging.ts";
import { json, text } from "../http/reply.ts";
import { get } from "../http/route.ts";
import type { Area } from "../site.ts";

/** The version that the sandbox answers like. */
export const version = "1.27.1+tongs-sandbox";

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
    migrations_disabled: true,
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

/** What the server is: version and settings, open to everybody. */
export const server: Area = {
  routes: [
    get("/version", {}, () => json(200, { version })),
    get("/settings/api", {}, () => json(200, settings.api)),
    get("/settings/repository", {}, () => json(200, settings.repository)),
    get("/settings/ui", {}, () => json(200, settings.ui)),
    get("/settings/attachment", {}, () => json(200, settings.attachment)),
  ],
  // Which folder is served, for another sandbox that wants the same one.
  pages: [get("/sandbox", {}, ({ site }) => text(200, site.folder))],
};
