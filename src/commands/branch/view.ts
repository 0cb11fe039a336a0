import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { type Branch, branch, branchGet } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { shownName, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { addressText } from "../../profiles/server.ts";

/** `tongs branch view`: GET a branch. */
export const view = defineCommand({
  summary: "View a branch",
  on: "repository",
  effect: "read",
  args: { branch: one("name of the branch", { from: "branch", source: "branch" }) },
  output: branch,
  examples: [
    ["View a branch", "tongs branch view main"],
    ["Print the commit it is at", "tongs branch view main --jq .commit.id"],
  ],
  web: { page: ({ args, repo }) => repoPage(repo, "src/branch", args.branch) },
  async run({ args, http, repo, server, out }) {
    const page = `${addressText(server.base)}/${repo.owner}/${repo.name}/src/branch/${args.branch}`;
    await out.record(await call(http, branchGet, { repo, branch: args.branch }), (shown) => branchSheet(shown, page));
  },
});

function branchSheet(found: Branch, page: string): Sheet {
  return {
    title: found.name,
    fields: [
      ["commit", styled("warn", found.commit?.id)],
      ["title", found.commit?.message?.split("\n", 1)[0]],
      ["updated", when(found.commit?.timestamp)],
      ["protected", found.protected],
      ["protection", found.effective_branch_protection_name],
      ["required approvals", found.required_approvals || undefined],
      [
        "required checks",
        found.enable_status_check ? (found.status_check_contexts ?? []).map(shownName).join(", ") : undefined,
      ],
      ["you can push", found.user_can_push],
      ["you can merge", found.user_can_merge],
      ["url", styled("link", page)],
    ],
  };
}
