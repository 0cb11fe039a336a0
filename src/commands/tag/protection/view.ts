import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { tagProtection, tagProtectionGet } from "../../../forge/tags.ts";
import { when } from "../../../output/cells.ts";
import { allProtections, findProtection, protectionArgument } from "./shared.ts";

/** `tongs tag protection view`: the tag protection with a pattern or an ID. */
export const view = defineCommand({
  summary: "View a tag protection",
  on: "repository",
  effect: "read",
  args: { protection: one(protectionArgument, { source: "tag-protection" }) },
  output: tagProtection,
  examples: [["View a tag protection", "tongs tag protection view 'v*'"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "tags") },
  async run(context) {
    const { args, http, repo } = context;
    const found = /^\d+$/.test(args.protection)
      ? await call(http, tagProtectionGet, { repo, id: Number(args.protection) })
      : findProtection(await allProtections(context), args.protection, context);
    await context.out.record(found, (shown) => ({
      title: shown.name_pattern,
      fields: [
        ["id", shown.id],
        ["users", (shown.whitelist_usernames ?? []).join(", ")],
        ["teams", (shown.whitelist_teams ?? []).join(", ")],
        ["updated", when(shown.updated_at)],
      ],
    }));
  },
});
