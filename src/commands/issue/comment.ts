import { attachDetails, attachFlags, withUploads } from "../../app/attach/attach.ts";
import { postComment } from "../../app/attach/comment.ts";
import { defineCommand } from "../../app/define.ts";
import { bodyFlags } from "../../app/draft.ts";
import { issueName, oneIssue } from "../../app/issue-selector.ts";
import { comment as commentRecord } from "../../forge/comments.ts";

/** `tongs issue comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Add a comment to an issue",
  details: `Prints the URL of the comment. Without --body and --body-file, opens the editor. ${attachDetails}`,
  on: "repository",
  effect: "write",
  args: { issue: oneIssue },
  flags: { ...bodyFlags, ...attachFlags },
  exclusive: [["body", "bodyFile"]],
  output: withUploads(commentRecord),
  exits: { partly: "it was added, but a file was not uploaded" },
  examples: [
    ["Add a comment", 'tongs issue comment 12 --body "Fixed by #14."'],
    ["Post the output of another program", "make report | tongs issue comment 12 --body-file -"],
    ["Attach a file, and show an image", 'tongs issue comment 12 --body "Dark: ![lamp](lamp.png)" --attach log.txt'],
  ],
  async run(context) {
    const { args, repo } = context;
    await postComment(context, async () => ({ number: args.issue, name: `issue ${issueName(repo, args.issue)}` }));
  },
});
