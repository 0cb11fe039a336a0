import { defineCommand } from "../../../app/define.ts";
import { bodyFlags, commentText } from "../../../app/draft.ts";
import { one } from "../../../command/args.ts";
import { note, noteSet } from "../../../forge/commits.ts";
import { call } from "../../../forge/operation.ts";
import { existingCommit } from "../../../forge/resolve-commit.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs commit note set`: POST the note of a commit, which replaces one that it has. */
export const set = defineCommand({
  summary: "Set the note of a commit, replacing one that it has",
  details: "Without --body and --body-file, opens the editor.",
  on: "repository",
  effect: "write",
  needs: [noteSet],
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  flags: bodyFlags,
  exclusive: [["body", "bodyFile"]],
  output: note,
  exits: { notFound: "the commit does not exist" },
  examples: [["Set the note of a commit", 'tongs commit note set 3f2a91c --body "Seen by the harbor office."']],
  async run(context) {
    const { args, http, out, repo, server } = context;
    const sha = await existingCommit(args.commit, context);
    const { body, typed } = await commentText(context, { what: "Note" });
    const record = await keepingText(typed, out, () => call(http, noteSet, { repo, sha }, { message: body }));
    await out.done(`Set the note of commit ${sha.slice(0, 10)} in ${fullName(repo)} ${accountLabel(server)}`, {
      record,
    });
  },
});
