import { defineCommand } from "../../app/define.ts";
import { commentPage, manyComments, readComments } from "../../app/issue-selector.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Comment, comment, getComment } from "../../forge/comments.ts";
import { namesOf, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { either, list } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";

/** `tongs comment view`: GET comments. */
export const view = defineCommand({
  summary: "View comments",
  details: "The JSON formats print one record for one comment, and an array for several.",
  on: "server",
  effect: "read",
  args: { comment: manyComments },
  output: either(comment, list(comment), Array.isArray),
  examples: [["View a comment", "tongs comment view 34"]],
  web: {
    page: async (context) => {
      const [first, ...more] = await readComments(context.args.comment, context);
      if (first === undefined || more.length > 0) throw new UsageError("--web takes one comment");
      return commentPage(first, context);
    },
  },
  async run(context) {
    const { args, http, out } = context;
    const targets = await readComments(args.comment, context);
    const found = await allSettledOrThrow(targets.map(({ repo, number }) => getComment(http, repo, number)));
    if (out.records && found.length > 1) return out.items(found);
    for (const one of found) await out.record(one, commentSheet);
  },
});

function commentSheet({ user, original_author, created_at, updated_at, html_url, assets, body }: Comment): Sheet {
  return {
    fields: [
      ["author", user?.login ?? original_author],
      ["created", when(created_at)],
      ["updated", updated_at === created_at ? "" : when(updated_at)],
      ["attachments", namesOf(assets, ({ name }) => name)],
      ["url", styled("link", html_url)],
    ],
    body,
    markdown: true,
  };
}
