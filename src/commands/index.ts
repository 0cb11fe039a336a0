import type { InternalCommand } from "../app/context.ts";
import type { Command } from "../app/define.ts";
import type { Aliases } from "../command/route.ts";
import type { Table } from "../command/table.ts";
import { walks } from "./walks.ts";

/** The command table, one line per command. A command is loaded when it is used. */
export const table: Table<Command> = {
  auth: {
    summary: "Authenticate tongs and git with servers",
    verbs: () => import("./auth/table.ts").then((file) => file.verbs),
  },
  profile: { summary: "Manage server profiles", verbs: () => import("./profile/table.ts").then((file) => file.verbs) },
  config: {
    summary: "Manage configuration for tongs",
    details: walks.config,
    verbs: () => import("./config/config.ts").then((file) => file.verbs),
  },
  doctor: () => import("./doctor/doctor.ts").then((file) => file.doctor),
  pr: { summary: "Manage pull requests", verbs: () => import("./pr/pr.ts").then((file) => file.verbs) },
  issue: { summary: "Manage issues", verbs: () => import("./issue/issue.ts").then((file) => file.verbs) },
  comment: {
    summary: "Manage comments on issues and pull requests",
    verbs: () => import("./comment/comment.ts").then((file) => file.verbs),
  },
  repo: { summary: "Manage repositories", verbs: () => import("./repo/repo.ts").then((file) => file.verbs) },
  org: { summary: "Manage organizations", verbs: () => import("./org/org.ts").then((file) => file.verbs) },
  team: { summary: "Manage teams", verbs: () => import("./team/team.ts").then((file) => file.verbs) },
  label: { summary: "Manage labels", verbs: () => import("./label/label.ts").then((file) => file.verbs) },
  milestone: {
    summary: "Manage milestones",
    verbs: () => import("./milestone/milestone.ts").then((file) => file.verbs),
  },
  release: { summary: "Manage releases", verbs: () => import("./release/release.ts").then((file) => file.verbs) },
  branch: { summary: "Manage branches", verbs: () => import("./branch/branch.ts").then((file) => file.verbs) },
  tag: { summary: "Manage tags", verbs: () => import("./tag/tag.ts").then((file) => file.verbs) },
  commit: {
    summary: "View commits and their statuses",
    verbs: () => import("./commit/commit.ts").then((file) => file.verbs),
  },
  user: { summary: "Manage users", verbs: () => import("./user/user.ts").then((file) => file.verbs) },
  star: {
    summary: "Star repositories",
    defaultVerb: "add",
    verbs: () => import("./star/star.ts").then((file) => file.verbs),
  },
  follow: {
    summary: "Follow users",
    defaultVerb: "add",
    verbs: () => import("./follow/follow.ts").then((file) => file.verbs),
  },
  run: {
    summary: "View, watch and rerun workflow runs",
    verbs: () => import("./run/table.ts").then((file) => file.verbs),
  },
  workflow: {
    summary: "View, enable and run workflows",
    verbs: () => import("./workflow/workflow.ts").then((file) => file.verbs),
  },
  runner: { summary: "Manage runners", verbs: () => import("./runner/runner.ts").then((file) => file.verbs) },
  artifact: {
    summary: "Download and manage artifacts",
    verbs: () => import("./artifact/artifact.ts").then((file) => file.verbs),
  },
  metrics: {
    summary: "Record, decode and plot collectd metrics",
    details: walks.metrics,
    verbs: () => import("./metrics/table.ts").then((file) => file.verbs),
  },
  file: {
    summary: "View and change repository files",
    verbs: () => import("./file/table.ts").then((file) => file.verbs),
  },
  wiki: { summary: "Manage wiki pages", verbs: () => import("./wiki/wiki.ts").then((file) => file.verbs) },
  search: {
    summary: "Search for repositories, users, issues and topics",
    verbs: () => import("./search/search.ts").then((file) => file.verbs),
  },
  template: {
    summary: "View templates for new repositories",
    verbs: () => import("./template/template.ts").then((file) => file.verbs),
  },
  browse: () => import("./browse.ts").then((file) => file.browse),
  render: () => import("./render.ts").then((file) => file.render),
  compare: () => import("./compare.ts").then((file) => file.compare),
  hook: {
    summary: "Manage webhooks",
    details: walks.hook,
    verbs: () => import("./hook/hook.ts").then((file) => file.verbs),
  },
  operation: {
    summary: "Call any operation of the server",
    details: walks.operation,
    verbs: () => import("./operation/table.ts").then((file) => file.verbs),
  },
  "ssh-key": {
    summary: "Manage your SSH keys",
    verbs: () => import("./ssh-key/ssh-key.ts").then((file) => file.verbs),
  },
  "gpg-key": {
    summary: "Manage your GPG keys",
    verbs: () => import("./gpg-key/gpg-key.ts").then((file) => file.verbs),
  },
  token: { summary: "Manage access tokens", verbs: () => import("./token/token.ts").then((file) => file.verbs) },
  "oauth-app": {
    summary: "Manage your OAuth2 applications",
    verbs: () => import("./oauth-app/oauth-app.ts").then((file) => file.verbs),
  },
  quota: {
    summary: "View and manage storage quotas",
    verbs: () => import("./quota/quota.ts").then((file) => file.verbs),
  },
  admin: { summary: "Administer a server", verbs: () => import("./admin/admin.ts").then((file) => file.verbs) },
  server: () => import("./server.ts").then((file) => file.server),
  variable: {
    summary: "Manage Actions variables",
    verbs: () => import("./variable/variable.ts").then((file) => file.verbs),
  },
  secret: { summary: "Manage Actions secrets", verbs: () => import("./secret/secret.ts").then((file) => file.verbs) },
  package: { summary: "Manage packages", verbs: () => import("./package/package.ts").then((file) => file.verbs) },
  notification: {
    summary: "List and mark notifications",
    verbs: () => import("./notification/notification.ts").then((file) => file.verbs),
  },
  status: () => import("./status/status.ts").then((file) => file.status),
  policy: {
    summary: "Manage the settings of many repositories from a file",
    details: walks.policy,
    verbs: () => import("./policy/table.ts").then((file) => file.verbs),
  },
  journal: {
    summary: "View and undo writes",
    details: walks.journal,
    verbs: () => import("./journal/table.ts").then((file) => file.verbs),
  },
  api: () => import("./api/api.ts").then((file) => file.api),
  mcp: {
    summary: "Serve commands to other programs",
    details: walks.mcp,
    verbs: () => import("./mcp/table.ts").then((file) => file.verbs),
  },
  sandbox: () => import("./sandbox.ts").then((file) => file.sandbox),
  alias: { summary: "Manage command aliases", verbs: () => import("./alias/alias.ts").then((file) => file.verbs) },
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
