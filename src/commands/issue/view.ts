import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { oneIssue } from "../../app/issue-selector.ts";
import { repoPage } from "../../app/web.ts";
import { toggle } from "../../command/flags.ts";
import { type Comment, comment, listComments } from "../../forge/comments.ts";
import { type Issue, issue, issueGet } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { dueDay, namesOf, shownCell, state, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { issueState, labelNames } from "./cells.ts";

/** `tongs issue view`: GET an issue, also a pull request by its number. */
export const view = defineCommand({
  summary: "View an issue",
  details: "With --comments, the JSON formats add the key comment_list to the record.",
  on: "repository",
  effect: "read",
  args: { issue: oneIssue },
  flags: {
    comments: toggle("show comments", { short: "c" }),
  },
  output: record({ ...issue.fields, comment_list: optional(list(comment)) }),
  examples: [
    ["View issue 12 with its comments", "tongs issue view 12 --comments"],
    ["Print fields of an issue of another repository", "tongs issue view mara/harbor#12 --json title,state"],
  ],
  // The servers redirect from the issue to the pull request with its number.
  web: { page: ({ args, repo }) => repoPage(repo, "issues", args.issue) },
  async run(context) {
    const { args, flags, http, repo, out } = context;
    const [found, comments] = await Promise.all([
      call(http, issueGet, { repo, index: args.issue }),
      flags.comments ? collect(listComments(http, repo, args.issue, {})) : [],
    ]);
    const isPull = found.pull_request != null;
    if (!flags.comments) await out.record(found, issueSheet);
    else {
      const full = { ...found, comment_list: comments };
      await out.record(full, (shown) => ({ ...issueSheet(shown), sections: commentSections(comments, context) }));
    }
    if (isPull) out.note(`#${found.number} is a pull request. For more, run: tongs pr view ${found.number}`);
  },
});

/** The fields of an issue, as `issue view` prints them. */
export function issueSheet(found: Issue): Sheet {
  return {
    title: `${found.title} #${found.number}`,
    fields: [
      ["state", state(issueState(found))],
      ["author", found.user?.login ?? found.original_author],
      ["labels", labelNames(found)],
      ["assignees", namesOf(found.assignees, ({ login }) => login)],
      ["milestone", found.milestone?.title],
      ["due", dueDay(found.due_date)],
      ["locked", found.is_locked ? "yes" : undefined],
      ["pinned", found.pin_order || undefined],
      ["comments", found.comments || undefined],
      ["attachments", namesOf(found.assets, ({ name }) => name)],
      ["created", when(found.created_at)],
      ["updated", when(found.updated_at)],
      ["closed", when(found.closed_at)],
      ["url", styled("link", found.html_url)],
    ],
    body: found.body,
    markdown: true,
  };
}

/** A section for each comment. */
export function commentSections(
  comments: readonly Comment[],
  { out, system }: Pick<BaseContext, "out" | "system">,
): { readonly title: string; readonly body: string }[] {
  const at = (time: string | null | undefined) => (out.terminal ? shownCell(when(time), system.now()) : (time ?? ""));
  return comments.map(({ user, original_author, created_at, body = "" }) => ({
    title: `${user?.login ?? (original_author || "Someone")} commented ${at(created_at)}`.trimEnd(),
    body,
  }));
}
