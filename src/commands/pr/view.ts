import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Comment, comment, listComments } from "../../forge/comments.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullRequest } from "../../forge/pulls.ts";
import { type Review, review, reviewList } from "../../forge/reviews.ts";
import { type Cell, dueDay, namesOf, shownCell, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { type FindContext, findBetweenBranches, findPull, type PullSelector, pullSelector } from "./find.ts";
import { headName, isAgit, isDraft, pullState, reviewState } from "./pull.ts";
import type { PullStatus } from "./status-cells.ts";

const flags = {
  comments: toggle("show comments and reviews", { short: "c" }),
  base: text("select by base branch (with --head)", {
    short: "B",
    placeholder: "BRANCH",
    source: "branch",
    filters: true,
  }),
  head: text("find it by branches: the head branch, with --base", {
    short: "H",
    placeholder: "[OWNER:]BRANCH",
    source: "branch",
    filters: true,
  }),
};

/** `tongs pr view`: GET one pull request, by number, branch, or both branches. */
export const view = defineCommand({
  summary: "View a pull request",
  details:
    "With --comments, the JSON formats add the keys comment_list and review_list to the record. " +
    "--base and --head select the open pull request between two branches, or else the newest.",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  flags,
  output: record({ ...pullRequest.fields, comment_list: optional(list(comment)), review_list: optional(list(review)) }),
  examples: [
    ["View pull request 12", "tongs pr view 12"],
    ["Print fields of the current branch's pull request as JSON", "tongs pr view --json number,mergeable"],
    ["View the pull request from one branch into another", "tongs pr view --base main --head mara:fix-tides"],
  ],
  web: {
    page: async (context) => repoPage(context.repo, "pulls", (await selectPull(context.args.pr, context)).number),
    uses: ["base", "head"],
  },
  async run(context) {
    const { out, args } = context;
    const pull = await selectPull(args.pr, context);
    const status = out.terminal ? await (await import("./status-cells.ts")).readStatus(pull, context) : undefined;
    if (!context.flags.comments) return out.record(pull, () => pullSheet(pull, status));
    const { http, repo } = context;
    const [comments, reviews] = await Promise.all([
      collect(listComments(http, repo, pull.number, {})),
      collect(call(http, reviewList, { repo, index: pull.number })),
    ]);
    const added = { comment_list: comments, review_list: reviews };
    await out.record({ ...pull, ...added }, () => withDiscussion(pullSheet(pull, status), comments, reviews, context));
  },
});

type ViewContext = FindContext & {
  readonly flags: { readonly base: string | undefined; readonly head: string | undefined };
};

async function selectPull(selector: PullSelector, context: ViewContext): Promise<PullRequest> {
  const { base, head } = context.flags;
  if ((base === undefined) !== (head === undefined)) throw new UsageError("--base and --head must be used together");
  if (base !== undefined && selector.by !== "current")
    throw new UsageError("Cannot use --base and --head with a pull request argument");
  const found = await (base === undefined || head === undefined
    ? findPull(selector, context)
    : findBetweenBranches(base, head, context));
  // The records of a list lack the changes and who merged (docs/server-differences.md, "Pull requests: listing").
  return selector.by === "number" ? found : call(context.http, pullGet, { repo: context.repo, index: found.number });
}

/**
 * The fields of a pull request, as `pr view` prints them. Without the status, as in a pipe, nothing is said of what it
 * takes to know: whether it can be merged, its checks and its reviews.
 */
export function pullSheet(pull: PullRequest, status?: PullStatus): Sheet {
  const reviewers = [
    namesOf(pull.requested_reviewers, ({ login }) => login),
    namesOf(pull.requested_reviewers_teams, ({ name }) => name),
  ];
  return {
    title: `${pull.title} #${pull.number}`,
    fields: [
      ["state", state(pullState(pull))],
      ...(status === undefined ? [] : statusRows(pull, status)),
      ["author", pull.user?.login],
      ["into", pull.base?.label],
      [
        "from",
        isAgit(pull)
          ? headName(pull)
          : pull.head?.repo && pull.head.repo_id !== pull.base?.repo_id
            ? `${pull.head.repo.full_name}:${pull.head.ref}`
            : pull.head?.ref,
      ],
      ["labels", namesOf(pull.labels, ({ name }) => name)],
      ["assignees", namesOf(pull.assignees, ({ login }) => login)],
      ["reviewers", reviewers.filter((part) => part !== "").join(", ")],
      ["milestone", pull.milestone?.title],
      ["due", dueDay(pull.due_date)],
      [
        "changes",
        pull.changed_files == null
          ? undefined
          : `${pull.changed_files} ${pull.changed_files === 1 ? "file" : "files"}, +${pull.additions ?? 0} -${pull.deletions ?? 0}`,
      ],
      ["comments", pull.comments || undefined],
      ["created", when(pull.created_at)],
      ["updated", when(pull.updated_at)],
      ["merged", pull.merged ? when(pull.merged_at) : undefined],
      ["merged by", pull.merged_by?.login],
      ["url", styled("link", pull.html_url)],
    ],
    body: pull.body,
    markdown: true,
  };
}

function statusRows(pull: PullRequest, status: PullStatus): [name: string, value: Cell][] {
  return [
    ["mergeable", mergeableCell(pull, status)],
    ["checks", status.checks],
    ["reviews", status.reviews],
  ];
}

/** Whether an open pull request can be merged, and why not: servers do not merge drafts, and need a moment to find conflicts. */
function mergeableCell(pull: PullRequest, status: PullStatus): Cell {
  const conflicts = `it conflicts with ${pull.base?.ref ?? "its base branch"}, or the server still checks that`;
  const own = isDraft(pull) ? ["it is a draft"] : pull.mergeable ? [] : [conflicts];
  const reasons = [...own, ...status.reasons];
  if (reasons.length === 0) return state("yes", "good");
  return { text: `no: ${reasons.join("; ")}`, style: "bad", glyph: "✗" };
}

/** Adds a section for each comment and review, oldest first. */
function withDiscussion(
  sheet: Sheet,
  comments: readonly Comment[],
  reviews: readonly Review[],
  { out, system }: Pick<BaseContext, "out" | "system">,
): Sheet {
  const at = (time: string | null | undefined) => (out.terminal ? shownCell(when(time), system.now()) : (time ?? ""));
  const entries = [
    ...comments.map(({ user, original_author, created_at, body }) => ({
      time: created_at,
      title: `${user?.login ?? (original_author || "Someone")} commented ${at(created_at)}`,
      body,
    })),
    ...reviews
      .filter((review) => review.state !== "REQUEST_REVIEW")
      .map((review) => ({
        time: review.submitted_at,
        title: `${review.user?.login ?? "Someone"} ${reviewVerb(review)} ${at(review.submitted_at)}`,
        body: review.body,
      })),
  ];
  entries.sort((one, other) => Date.parse(one.time ?? "") - Date.parse(other.time ?? ""));
  return { ...sheet, sections: entries.map(({ title, body = "" }) => ({ title: title.trimEnd(), body })) };
}

function reviewVerb(review: Review): string {
  const word = reviewState(review);
  const count = review.comments_count ?? 0;
  const comments = count === 0 ? "" : ` with ${count} comment${count === 1 ? "" : "s"} on the code`;
  return `${word.replace("changes requested", "requested changes")}${comments}`;
}
