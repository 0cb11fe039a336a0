import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { type BranchProtection, branchProtection, branchProtectionList } from "../../../forge/branch-protections.ts";
import { call } from "../../../forge/operation.ts";
import { shownName, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<BranchProtection>("RULE", ({ rule_name }) => rule_name, true),
  column<BranchProtection>("PRIORITY", ({ priority }) => priority),
  column<BranchProtection>("PUSH", ({ enable_push }) => (enable_push ? "allowed" : "blocked")),
  column<BranchProtection>("APPROVALS", ({ required_approvals }) => required_approvals),
  column<BranchProtection>(
    "CHECKS",
    ({ enable_status_check, status_check_contexts }) =>
      enable_status_check ? (status_check_contexts ?? []).map(shownName).join(", ") || "all" : "",
    true,
  ),
  column<BranchProtection>("UPDATED", ({ updated_at }) => when(updated_at), false, "optional"),
];

/** `tongs branch protection list`: GET the branch protections of a repository. */
export const list = defineCommand({
  summary: "List branch protections",
  details: "If several protections match a branch, the first in the list applies.",
  on: "repository",
  effect: "read",
  output: listOf(branchProtection),
  examples: [["List branch protections", "tongs branch protection list"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "branches") },
  async run({ http, repo, out }) {
    await out.list(call(http, branchProtectionList, { repo }), columns);
  },
});
