import { batch } from "../../app/batch.ts";
import { bodyFlags, commentText } from "../../app/comment-text.ts";
import { defineCommand } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { type IssueTarget, manyComments, readComments } from "../../app/issue-selector.ts";
import { UsageError } from "../../failure/failure.ts";
import { comment, editComment, getComment } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

/** `tongs comment edit`: PATCH the text of each comment. */
export const edit = defineCommand({
  summary: "Edit comments",
  details: "Replaces the text. Without --body and --body-file, opens the editor for a single comment.",
  on: "server",
  effect: "write",
  args: { comment: manyComments },
  flags: bodyFlags,
  exclusive: [["body", "bodyFile"]],
  output: list(comment),
  exits: { partly: "some comments were edited, some failed" },
  examples: [["Replace the text of a comment", 'tongs comment edit 34 --body "Seen at ten."']],
  async run(context) {
    const { args, flags, http, out, prompt, server } = context;
    const targets = await readComments(args.comment, context);
    const opens = flags.body === undefined && flags.bodyFile === undefined;
    if (opens && targets.length > 1) throw new UsageError("--body or --body-file is required for several comments");
    const [first] = targets;
    const current = opens && prompt.able && first ? (await getComment(http, first.repo, first.number)).body : undefined;
    const { body, typed } = await commentText(context, { current });
    return keepingText(typed, out, () =>
      batch(
        targets,
        async ({ repo, number }) => {
          const record = await editComment(http, repo, number, body).catch((error: unknown) => {
            throw explainDenied(error, `Cannot edit comment ${number}`, editors);
          });
          return { message: `Edited comment ${number} in ${fullName(repo)} ${accountLabel(server)}`, record };
        },
        context,
        { name: commentName },
      ),
    );
  },
});

/** `comment 34`, for the messages of batches. */
export function commentName({ number }: IssueTarget): string {
  return `comment ${number}`;
}
