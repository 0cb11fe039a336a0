import { attachDetails, attachFlags, readAttached, withUploads } from "../../app/attach/attach.ts";
import { planAttachments } from "../../app/attach/plan.ts";
import { attachBefore, recordWith } from "../../app/attach/upload.ts";
import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { editConflict, editors, orDenied } from "../../app/denied.ts";
import { bodyFlags, commentText } from "../../app/draft.ts";
import { type IssueTarget, manyComments, readComments } from "../../app/issue-selector.ts";
import { UsageError } from "../../failure/failure.ts";
import { comment, editComment, getComment } from "../../forge/comments.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";

/** `tongs comment edit`: PATCH the text of each comment. */
export const edit = defineCommand({
  summary: "Edit comments",
  details: `Replaces the text, or adds files only. Without --body, --body-file and --attach, opens the editor for a single comment. ${attachDetails}`,
  on: "server",
  effect: "write",
  args: { comment: manyComments },
  flags: { ...bodyFlags, ...attachFlags },
  exclusive: [["body", "bodyFile"]],
  output: list(withUploads(comment)),
  exits: { partly: "some comments were edited, some failed" },
  examples: [
    ["Replace the text of a comment", 'tongs comment edit 34 --body "Seen at ten."'],
    ["Attach a file", "tongs comment edit 34 --attach log.txt"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server, system } = context;
    const attached = await readAttached(flags, flags.bodyFile, system);
    const targets = await readComments(args.comment, context);
    const isGiven = flags.body !== undefined || flags.bodyFile !== undefined;
    const opens = !isGiven && attached.length === 0;
    if (opens && targets.length > 1) throw new UsageError("--body or --body-file is required for several comments");
    const [first] = targets;
    const current = opens && prompt.able && first ? (await getComment(http, first.repo, first.number)).body : undefined;
    const text = isGiven || opens ? await commentText(context, { current }) : undefined;
    /** Throws if somebody changed the text that was opened in the editor. */
    const unlessChanged = async ({ repo, number }: IssueTarget) => {
      if (current !== undefined && (await getComment(http, repo, number)).body !== current)
        throw editConflict(`Comment ${number}`, commandIn({ server, repo }, `tongs comment view ${number}`));
    };
    return keepingText(text?.typed, out, async () => {
      const given = { body: text?.body, others: text?.others, file: flags.bodyFile };
      const uploads = await planAttachments(attached, given, { ...context, owner: first?.repo.owner ?? "" });
      return batch(
        targets,
        async (one) => {
          const { repo, number } = one;
          const finish = ["tongs", "comment", "edit", `${number}`, "-R", fullName(repo)];
          const to = { target: { of: "comment", repo, id: number }, name: commentName(one), finish } as const;
          const { value, uploaded } = await attachBefore(uploads, to, context, async (linked = text?.body) =>
            linked === undefined
              ? getComment(http, repo, number)
              : unlessChanged(one).then(() =>
                  editComment(http, repo, number, linked).catch(orDenied(`Cannot edit comment ${number}`, editors)),
                ),
          );
          const message = `Edited comment ${number} in ${fullName(repo)} ${accountLabel(server)}`;
          return { message, record: recordWith(value, uploaded) };
        },
        context,
        { name: commentName },
      );
    });
  },
});

/** `comment 34`, for the messages of batches. */
export function commentName({ number }: IssueTarget): string {
  return `comment ${number}`;
}
