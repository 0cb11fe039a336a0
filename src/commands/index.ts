import type { InternalCommand } from "../app/context.ts";
import type { Command } from "../app/define.ts";
import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";
import { walks } from "./walks.ts";

/** The command table, one line per command. A command is loaded when it is used. */
export const table: Table<Command> = {
  auth: noun("Authenticate tongs and git with servers", () => import("./auth/table.ts")),
  profile: noun("Manage server profiles", () => import("./profile/table.ts")),
  config: noun("Manage configuration for tongs", () => import("./config/config.ts"), { details: walks.config }),
  doctor: () => import("./doctor/doctor.ts").then((file) => file.doctor),
  pr: noun("Manage pull requests", () => import("./pr/pr.ts")),
  issue: noun("Manage issues", () => import("./issue/issue.ts")),
  comment: noun("Manage comments on issues and pull requests", () => import("./comment/comment.ts")),
  repo: noun("Manage repositories", () => import("./repo/repo.ts")),
  org: noun("Manage organizations", () => import("./org/org.ts")),
  team: noun("Manage teams", () => import("./team/team.ts")),
  label: noun("Manage labels", () => import("./label/label.ts")),
  milestone: noun("Manage milestones", () => import("./milestone/milestone.ts")),
  release: noun("Manage releases", () => import("./release/release.ts")),
  branch: noun("Manage branches", () => import("./branch/branch.ts")),
  tag: noun("Manage tags", () => import("./tag/tag.ts")),
  commit: noun("View commits and their statuses", () => import("./commit/commit.ts")),
  user: noun("Manage users", () => import("./user/user.ts")),
  star: noun("Star repositories", () => import("./star/star.ts"), { defaultVerb: "add" }),
  follow: noun("Follow users", () => import("./follow/follow.ts"), { defaultVerb: "add" }),
  run: noun("View, watch and rerun workflow runs", () => import("./run/table.ts")),
  workflow: noun("View, enable and run workflows", () => import("./workflow/workflow.ts")),
  runner: noun("Manage runners", () => import("./runner/runner.ts")),
  artifact: noun("Download and manage artifacts", () => import("./artifact/artifact.ts")),
  metrics: noun("Record, decode and plot collectd metrics", () => import("./metrics/table.ts"), {
    details: walks.metrics,
  }),
  file: noun("View and change repository files", () => import("./file/table.ts")),
  wiki: noun("Manage wiki pages", () => import("./wiki/wiki.ts")),
  search: noun("Search for repositories, users, issues and topics", () => import("./search/search.ts")),
  template: noun("View templates for new repositories", () => import("./template/template.ts")),
  browse: () => import("./browse.ts").then((file) => file.browse),
  render: () => import("./render.ts").then((file) => file.render),
  compare: () => import("./compare.ts").then((file) => file.compare),
  hook: noun("Manage webhooks", () => import("./hook/hook.ts"), { details: walks.hook }),
  operation: noun("Call any operation of the server", () => import("./operation/table.ts"), {
    details: walks.operation,
  }),
  "ssh-key": noun("Manage your SSH keys", () => import("./ssh-key/ssh-key.ts")),
  "gpg-key": noun("Manage your GPG keys", () => import("./gpg-key/gpg-key.ts")),
  token: noun("Manage access tokens", () => import("./token/token.ts")),
  "oauth-app": noun("Manage your OAuth2 applications", () => import("./oauth-app/oauth-app.ts")),
  quota: noun("View and manage storage quotas", () => import("./quota/quota.ts")),
  admin: noun("Administer a server", () => import("./admin/admin.ts")),
  server: () => import("./server.ts").then((file) => file.server),
  variable: noun("Manage Actions variables", () => import("./variable/variable.ts")),
  secret: noun("Manage Actions secrets", () => import("./secret/secret.ts")),
  package: noun("Manage packages", () => import("./package/package.ts")),
  notification: noun("List and mark notifications", () => import("./notification/notification.ts")),
  status: () => import("./status/status.ts").then((file) => file.status),
  policy: noun("Manage the settings of many repositories from a file", () => import("./policy/table.ts"), {
    details: walks.policy,
  }),
  journal: noun("View and undo writes", () => import("./journal/table.ts"), { details: walks.journal }),
  api: () => import("./api/api.ts").then((file) => file.api),
  mcp: noun("Serve commands to other programs", () => import("./mcp/table.ts"), { details: walks.mcp }),
  sandbox: () => import("./sandbox.ts").then((file) => file.sandbox),
  alias: noun("Manage command aliases", () => import("./alias/alias.ts")),
  completion: () => import("./completion.ts").then((file) => file.completion),
  schema: () => import("./schema.ts").then((file) => file.schema),
  upgrade: () => import("./upgrade.ts").then((file) => file.upgrade),
  version: () => import("./version.ts").then((file) => file.version),
};

/** Other names of commands and verbs, which help does not show. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
    "pr co": "pr checkout",
    "pr approve": "pr review --approve",
    "label clone": "label import --from",
    "search repos": "search repo",
    "search users": "search user",
    "search issues": "search issue",
    "search prs": "search issue --type pulls",
    "search topics": "search topic",
    unstar: "star remove",
    unfollow: "follow remove",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"], new: ["create"], show: ["view"] },
};

/** What the completion scripts and tongs itself run; help does not show it. */
export const internal: ReadonlyMap<string, () => Promise<InternalCommand>> = new Map([
  ["__complete", () => import("./complete/complete.ts").then((file) => file.complete)],
  ["__forward", () => import("./metrics/forward-process.ts").then((file) => file.answerForward)],
  ["__convert", () => import("../metrics/parquet/convert-process.ts").then((file) => file.answerConvert)],
]);
