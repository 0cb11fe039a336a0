import { defineCommand } from "../../app/define.ts";
import { choice, choiceOr, names, text, yesNo } from "../../command/flags.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { listPulls } from "./list-pulls.ts";
import { pullState } from "./state.ts";

const columns = [
  column<PullRequest>("ID", (pull) =>
    styled(pullState(pull) === "open" ? "good" : pullState(pull) === "merged" ? "merged" : "dim", `#${pull.number}`),
  ),
  column<PullRequest>("TITLE", (pull) => pull.title, true),
  column<PullRequest>("BRANCH", (pull) => styled("link", branchOf(pull)), true),
  column<PullRequest>("STATE", (pull) => pullState(pull)),
  column<PullRequest>("CREATED", (pull) => when(pull.created_at)),
];

/** `tongs pr list`: GET the pull requests of a repository. */
export const list = defineCommand({
  summary: "List pull requests",
  details: "Filters add up; several labels mean all of them. @me is the signed-in user. Closed includes merged.",
  on: "repository",
  effect: "read",
  flags: {
    state: choiceOr(["open", "closed", "merged", "all"], "open", "in which state", { short: "s" }),
    base: text("into this branch", { short: "B", placeholder: "BRANCH" }),
    head: text("from this branch", { short: "H", placeholder: "[OWNER:]BRANCH" }),
    author: text("opened by this user", { short: "A", placeholder: "USER" }),
    assignee: text("assigned to this user", { short: "a", placeholder: "USER" }),
    label: names("with this label; several: with all of them", { short: "l", placeholder: "LABEL" }),
    milestone: text("in this milestone", { placeholder: "TITLE" }),
    draft: yesNo("drafts only, or none"),
    search: text("with these words in title, text or comments", { short: "S" }),
    sort: choice(["newest", "oldest", "updated", "least-updated", "comments", "priority"], "what comes first"),
  },
  output: listOf(pullRequest),
  examples: [
    ["What is open here", "tongs pr list"],
    ["What has been merged into a branch", "tongs pr list --state merged --base release/1.2"],
    ["Mine with two labels, as JSON", "tongs pr list --author @me --label bug,docs --json number,title"],
  ],
  async run(context) {
    await context.out.list(await listPulls(context.flags, context), columns);
  },
});

/** The head branch, with its owner where it is a fork's. */
function branchOf({ head, base }: PullRequest): string {
  const owner = head?.repo && head.repo_id !== base?.repo_id ? head.repo.owner?.login : undefined;
  return owner === undefined ? (head?.label ?? "") : `${owner}:${head?.ref}`;
}
