import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Comment, comment } from "../../forge/comments.ts";
import { everything } from "../../forge/listings.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { type Review, review } from "../../forge/reviews.ts";
import { shownCell, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { addressText } from "../../profiles/server.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { betweenBranches, findPull, type PullSelector, pullSelector } from "./find.ts";
import { pullState, reviewState } from "./shared.ts";

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
  return betweenBranches(base, head, context);
}

/** A pull request for reading. */
export function pullSheet(pull: PullRequest): Sheet {
  const names = (users: readonly { readonly login: string }[] | null) =>
    (users ?? []).map((user) => user.login).join(", ");
  const open = pullState(pull) === "open";
  return {
    title: `${pull.title} #${pull.number}`,
    fields: [
      ["state", state(pullState(pull))],
      ["mergeable", open ? (pull.mergeable ? styled("good", "yes") : styled("bad", "no")) : undefined],
      ["author", pull.user?.login],
      ["into", pull.base?.label],
      [
        "from",
        pull.head?.repo && pull.head.repo_id !== pull.base?.repo_id
          ? `${pull.head.repo.full_name}:${pull.head.ref}`
          : pull.head?.ref,
      ],
      ["labels", (pull.labels ?? []).map((label) => label.name).join(", ")],
      ["assignees", names(pull.assignees)],
      [
        "reviewers",
        [names(pull.requested_reviewers), (pull.requested_reviewers_teams ?? []).map((team) => team.name).join(", ")]
          .filter((part) => part !== "")
          .join(", "),
      ],
      ["milestone", pull.milestone?.title],
      ["due", when(pull.due_date)],
      [
        "changes",
        pull.changed_files == null
          ? undefined
          : `${pull.changed_files} ${pull.changed_files === 1 ? "file" : "files"}, +${pull.additions ?? 0} -${pull.deletions ?? 0}`,
      ],
      ["comments", pull.comments > 0 ? pull.comments : undefined],
      ["created", when(pull.created_at)],
      ["updated", when(pull.updated_at)],
      ["merged", pull.merged ? when(pull.merged_at) : undefined],
      ["merged by", pull.merged_by?.login],
      ["url", styled("link", pull.html_url)],
    ],
    body: pull.body,
  };
}

/** What was said on a pull request. */
interface Discussion {
  readonly comments: readonly Comment[];
  readonly reviews: readonly Review[];
}

/** Fetches the comments and the reviews, side by side. */
async function discussionOf(number: number, { forge, repo }: RepositoryContext): Promise<Discussion> {
  const [comments, reviews] = await Promise.all([
    everything(forge.comments.list(repo, number)),
    everything(forge.reviews.list(repo, number)),
  ]);
  return { comments, reviews };
}

/** The sheet with a section for each comment and review, oldest first. */
function withDiscussion(
  sheet: Sheet,
  { comments, reviews }: Discussion,
  { out, system }: Pick<BaseContext, "out" | "system">,
): Sheet {
  const at = (time: string) => (out.terminal ? shownCell(when(time), system.now()) : time);
  const said = [
    ...comments.map(({ user, original_author, created_at, body }) => ({
      time: created_at,
      title: `${user?.login ?? original_author} commented ${at(created_at)}`,
      body,
    })),
    ...reviews
      .filter((review) => review.state !== "REQUEST_REVIEW")
      .map((review) => ({
        time: review.submitted_at,
        title: `${review.user?.login ?? "somebody"} ${verb(review)} ${at(review.submitted_at)}`,
        body: review.body,
      })),
  ];
  said.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  return { ...sheet, sections: said.map(({ title, body }) => ({ title, body })) };
}

function verb(review: Review): string {
  const word = reviewState(review);
  const count = review.comments_count;
  const remarks = count === 0 ? "" : ` with ${count} comment${count === 1 ? "" : "s"} on the code`;
  return `${word.replace("changes requested", "requested changes")}${remarks}`;
}
