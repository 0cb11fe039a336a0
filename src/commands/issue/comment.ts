import { bodyFlags, commentText } from "../../app/comment-text.ts";
import { defineCommand } from "../../app/define.ts";
import { issueName, oneIssue } from "../../app/issue-selector.ts";
import { comment as commentRecord, createComment } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";

/** `tongs issue comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Add a comment to an issue",
  details: "Prints the URL of the comment. Without --body and --body-file, opens the editor.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue },
  flags: bodyFlags,
  exclusive: [["body", "bodyFile"]],
  output: commentRecord,
  examples: [
    ["Add a comment", 'tongs issue comment 12 --body "Fixed by #14."'],
    ["Post the output of another program", "make report | tongs issue comment 12 --body-file -"],
  ],
  async run(context) {
    const { args, http, repo, server, out } = context;
    const { body, typed } = await commentText(context);
    const made = await keepingText(typed, out, () => createComment(http, repo, args.issue, body));
    await out.done(`Commented on issue ${issueName(repo, args.issue)} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: made,
    });
  },
});
