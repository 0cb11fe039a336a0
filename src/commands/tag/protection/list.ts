import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { call } from "../../../forge/operation.ts";
import { type TagProtection, tagProtection, tagProtectionList } from "../../../forge/tags.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<TagProtection>("ID", ({ id }) => id),
  column<TagProtection>("PATTERN", ({ name_pattern }) => name_pattern, true),
  column<TagProtection>("USERS", ({ whitelist_usernames }) => (whitelist_usernames ?? []).join(", "), true),
  column<TagProtection>("TEAMS", ({ whitelist_teams }) => (whitelist_teams ?? []).join(", "), true),
  column<TagProtection>("UPDATED", ({ updated_at }) => when(updated_at), false, "optional"),
];

/** `tongs tag protection list`: GET the tag protections of a repository. */
export const list = defineCommand({
  summary: "List tag protections",
  on: "repository",
  effect: "read",
  output: listOf(tagProtection),
  examples: [["List tag protections", "tongs tag protection list"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "tags") },
  async run({ http, repo, out }) {
    await out.list(call(http, tagProtectionList, { repo }), columns);
  },
});
