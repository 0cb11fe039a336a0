import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { call } from "../../../forge/operation.ts";
import { type TagProtection, tagProtection, tagProtectionList } from "../../../forge/tags.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<TagProtection>("ID", "id"),
  column<TagProtection>("PATTERN", "name_pattern", { flexible: true }),
  column<TagProtection>("USERS", "whitelist_usernames", {
    cell: ({ whitelist_usernames }) => (whitelist_usernames ?? []).join(", "),
    flexible: true,
  }),
  column<TagProtection>("TEAMS", "whitelist_teams", {
    cell: ({ whitelist_teams }) => (whitelist_teams ?? []).join(", "),
    flexible: true,
  }),
  column<TagProtection>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
];

/** `tongs tag protection list`: GET the tag protections of a repository. */
export const list = defineCommand({
  summary: "List tag protections",
  on: "repository",
  effect: "read",
  lists: ["tag protection", "tag protections"],
  output: listOf(tagProtection),
  examples: [["List tag protections", "tongs tag protection list"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "tags") },
  async run({ http, repo, out }) {
    await out.list(call(http, tagProtectionList, { repo }), columns);
  },
});
