import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { note } from "../../../forge/commits.ts";
import { resolveCommit } from "../../../forge/resolve-commit.ts";
import { existingNote } from "./existing-note.ts";

/** `tongs commit note view`: GET the note of a commit. */
export const view = defineCommand({
  summary: "Print the note of a commit",
  details:
    "Where the server cannot set notes, add them with git notes and push them: git push origin refs/notes/commits",
  on: "repository",
  effect: "read",
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  output: note,
  exits: { notFound: "the commit does not exist, or has no note" },
  examples: [["Print the note of a commit", "tongs commit note 3f2a91c"]],
  web: { page: async (context) => repoPage(context.repo, "commit", await resolveCommit(context.args.commit, context)) },
  async run(context) {
    const { args, http, repo, out } = context;
    const found = await existingNote(http, repo, await resolveCommit(args.commit, context));
    if (out.records) return out.record(found, () => ({ fields: [] }));
    const message = found.message ?? "";
    await out.raw(message.endsWith("\n") ? message : `${message}\n`);
  },
});
