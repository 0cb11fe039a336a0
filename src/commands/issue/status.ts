import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { type Issue, type IssueQuery, issue, issueList } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { firstLines, type Sheet, sectionLines } from "../../output/sheet.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list, record } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { labelNames } from "./cells.ts";

interface Status {
  readonly assigned: readonly Issue[];
  readonly mentions: readonly Issue[];
  readonly created: readonly Issue[];
}

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
    await out.record({ assigned, mentions, created }, (shown) =>
      statusSheet(shown, fullName(repo), out.terminal ? sectionLines : Number.POSITIVE_INFINITY),
    );
  },
});

function statusSheet({ assigned, mentions, created }: Status, where: string, most: number): Sheet {
  const section = (title: string, issues: readonly Issue[], none: string) => ({
    title,
    body: issues.length === 0 ? none : firstLines(issues.map(line), most, "tongs issue list --all"),
  });
  return {
    title: where,
    fields: [],
    sections: [
      section("Assigned to you", assigned, "No issues are assigned to you"),
      section("Mentioning you", mentions, "No issues mention you"),
      section("Opened by you", created, "You have no open issues"),
    ],
  };
}

function line(one: Issue): string {
  const labels = labelNames(one);
  return `#${one.number}  ${one.title.replace(/\s+/g, " ")}${labels === "" ? "" : `  (${labels})`}`;
}
