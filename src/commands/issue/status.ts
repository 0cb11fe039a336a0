import { defineCommand } from "../../app/define.ts";
import { statusSheet } from "../../app/issues/status.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { type Issue, type IssueQuery, issue, issueList } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list, record } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { labelNames } from "./cells.ts";

/** `tongs issue status`: GET the open issues that concern the caller, in three lists. */
export const status = defineCommand({
  summary: "Show the open issues that concern you",
  details: "Lists the open issues of the repository that are assigned to you, mention you, or were opened by you.",
  on: "repository",
  effect: "read",
  output: record({ assigned: list(issue), mentions: list(issue), created: list(issue) }),
  examples: [["Show what is waiting for you", "tongs issue status"]],
  web: { page: () => pagePath("issues") },
  async run(context) {
    const { http, repo, out } = context;
    const me = await currentUser(context);
    const open = (query: Partial<IssueQuery>) =>
      collect(call(http, issueList, { repo, type: "issues", state: "open", ...query }));
    const [assigned, mentions, created] = await allSettledOrThrow([
      open({ assigned_by: me }),
      open({ mentioned_by: me }),
      open({ created_by: me }),
    ]);
    await out.record({ assigned, mentions, created }, () =>
      statusSheet(
        fullName(repo),
        [
          ["Assigned to you", assigned.map(line), "No issues are assigned to you"],
          ["Mentioning you", mentions.map(line), "No issues mention you"],
          ["Opened by you", created.map(line), "You have no open issues"],
        ],
        { command: "tongs issue list --all", out },
      ),
    );
  },
});

function line(one: Issue): string {
  const labels = labelNames(one);
  return `#${one.number}  ${one.title.replace(/\s+/g, " ")}${labels === "" ? "" : `  (${labels})`}`;
}
