import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { branchProtection, branchProtectionGet } from "../../../forge/branch-protections.ts";
import { call } from "../../../forge/operation.ts";
import { type Cell, shownName, when } from "../../../output/cells.ts";

/** `tongs branch protection view`: GET a branch protection. */
export const view = defineCommand({
  summary: "View a branch protection",
  on: "repository",
  effect: "read",
  args: { rule: one("name of the protection: a branch name or a glob", { source: "branch-protection" }) },
  output: branchProtection,
  examples: [["View the protection of main", "tongs branch protection view main"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "branches") },
  async run({ args, http, repo, out }) {
    const found = await call(http, branchProtectionGet, { repo, name: args.rule });
    await out.record(found, (shown) => ({
      title: shown.rule_name,
      fields: Object.entries(shown)
        .filter(([name]) => name !== "rule_name" && name !== "branch_name")
        .map(([name, value]) => [name.replaceAll("_", " "), settingCell(name, value)] as const),
    }));
  },
});

/** A setting: a time, a list, or a single value. */
function settingCell(name: string, value: unknown): Cell {
  if (name.endsWith("_at") && typeof value === "string") return when(value);
  if (Array.isArray(value)) return value.map((item) => shownName(String(item))).join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : "";
}
