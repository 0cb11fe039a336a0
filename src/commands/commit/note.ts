import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { commitGet, note, noteGet } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { resolveCommit } from "../../forge/resolve-commit.ts";
import { NotFoundError } from "../../http/errors.ts";

/** `tongs commit note`: GET the note of a commit. */
export const showNote = defineCommand({
  summary: "Print the note of a commit",
  details: "Notes are added with git notes and pushed with: git push origin refs/notes/commits",
  on: "repository",
  effect: "read",
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  output: note,
  exits: { notFound: "the commit does not exist, or has no note" },
  examples: [["Print the note of a commit", "tongs commit note 3f2a91c"]],
  async run(context) {
    const { args, http, repo, out } = context;
    const sha = await resolveCommit(args.commit, context);
    const found = await call(http, noteGet, { repo, sha, verification: false, files: false }).catch(
      async (error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        const { sha: known } = await call(http, commitGet, {
          repo,
          sha,
          stat: false,
          files: false,
          verification: false,
        });
        throw new Failure("not_found", `Commit ${known.slice(0, 10)} has no note`, { cause: error });
      },
    );
    if (out.records) return out.record(found, () => ({ fields: [] }));
    const message = found.message ?? "";
    await out.raw(message.endsWith("\n") ? message : `${message}\n`);
  },
});
