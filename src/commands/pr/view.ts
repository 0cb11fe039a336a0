import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { comment } from "../../forge/comments.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { review } from "../../forge/reviews.ts";
import { addressText } from "../../profiles/server.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { findPull } from "./find.ts";
import { type PullSelector, pullSelector } from "./selector.ts";
import { pullSheet } from "./sheet.ts";

const flags = {
  comments: toggle("show the comments and reviews, too", { short: "c" }),
  web: toggle("open it in the browser", { short: "w" }),
  base: text("with --head: the one into this branch", { short: "B", placeholder: "BRANCH" }),
  head: text("with --base: the one from this branch", { short: "H", placeholder: "[OWNER:]BRANCH" }),
};

/** `tongs pr view`: GET one pull request, by number, branch, or both branches. */
export const view = defineCommand({
  summary: "Show a pull request",
  details:
    "With --comments the JSON forms print the record with two added keys, comment_list and review_list. " +
    "Between two branches the open pull request is shown, else the newest.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags,
  exclusive: [["comments", "web"]],
  output: record({ ...pullRequest.fields, comment_list: optional(list(comment)), review_list: optional(list(review)) }),
  examples: [
    ["Show number 12", "tongs pr view 12"],
    ["Show the current branch's, as JSON", "tongs pr view --json number,mergeable"],
    ["Show what goes from one branch into another", "tongs pr view --base main --head mara:fix-tides"],
  ],
  async run(context) {
    const { out, system, repo, server, args } = context;
    const pull = await select(args.pr, context);
    if (context.flags.web) {
      const { openPage } = await import("../../output/browser.ts");
      const page = `${addressText(server.base)}/${repo.owner}/${repo.name}/pulls/${pull.number}`;
      out.note(`Opening ${page}`);
      return openPage(system, page);
    }
    if (!context.flags.comments) return out.record(pull, pullSheet);
    const { discussionOf, withDiscussion } = await import("./discussion.ts");
    const discussion = await discussionOf(pull.number, context);
    const added = { comment_list: discussion.comments, review_list: discussion.reviews };
    await out.record({ ...pull, ...added }, (shown) => withDiscussion(pullSheet(shown), discussion, context));
  },
});

type ViewContext = RepositoryContext &
  Pick<BaseContext, "git"> & {
    readonly flags: { readonly base: string | undefined; readonly head: string | undefined };
  };

async function select(selector: PullSelector, context: ViewContext): Promise<PullRequest> {
  const { base, head } = context.flags;
  if (base === undefined && head === undefined) return findPull(selector, context);
  if (base === undefined || head === undefined) throw new UsageError("--base and --head go together");
  if (selector.by !== "current") throw new UsageError("A pull request is named, so --base and --head say nothing more");
  const { betweenBranches } = await import("./between-branches.ts");
  return betweenBranches(base, head, context);
}
