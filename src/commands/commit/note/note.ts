import type { Command } from "../../../app/define.ts";
import { bodyFlags, commentText } from "../../../app/draft.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { viewCommand } from "../../../app/view-command.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import { one } from "../../../command/args.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { commitGet, type Note, note, noteDelete, noteGet, noteSet } from "../../../forge/commits.ts";
import { call } from "../../../forge/operation.ts";
import { existingCommit, resolveCommit } from "../../../forge/resolve-commit.ts";
import type { Http } from "../../../http/client.ts";
import { NotFoundError } from "../../../http/errors.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";

/** The note of a commit. Throws a failure that says whether the commit or its note is missing. */
async function existingNote(http: Http, repo: RepoName, sha: string): Promise<Note> {
  return call(http, noteGet, { repo, sha, verification: false, files: false }).catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    const { sha: known } = await call(http, commitGet, { repo, sha, stat: false, files: false, verification: false });
    throw new Failure("not_found", `Commit ${known.slice(0, 10)} has no note`, { cause: error });
  });
}

const notes = resource({
  ...inRepository,
  noun: ["note", "notes"],
  a: "a note",
  record: note,
  argument: {
    key: "commit",
    one: "hash of the commit, or a branch or tag",
    many: "hashes of commits, or branches or tags",
    source: "ref",
  },
  target: (context) => async (typed) => ({ sha: await resolveCommit(typed, context) }),
  name: ({ sha }: { readonly sha: string }) => `the note of commit ${sha.slice(0, 10)}`,
});

/** The verbs of `tongs commit note`. */
export const verbs: Table<Command> = {
  view: () => view(),
  set: () => set(),
  delete: notes.delete({
    sends: noteDelete,
    needs: [noteDelete],
    summary: "Delete the notes of commits",
    exits: { notFound: "the commit does not exist, or has no note" },
    // Each is a commit on the branch of the notes.
    jobs: 1,
    async work({ sha }, { http, repo }) {
      // The server answers 500 if there is none.
      await existingNote(http, repo, sha);
      await call(http, noteDelete, { repo, sha });
    },
    examples: [["Delete the note of a commit", "tongs commit note delete 3f2a91c --yes"]],
  }),
};

/** `tongs commit note view`: GET the note of a commit. */
const view = viewCommand({
  summary: "Print the note of a commit",
  details:
    "Where the server cannot set notes, add them with git notes and push them: git push origin refs/notes/commits",
  on: "repository",
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  record: note,
  exits: { notFound: "the commit does not exist, or has no note" },
  examples: [["Print the note of a commit", "tongs commit note 3f2a91c"]],
  page: async (context) => repoPage(context.repo, "commit", await resolveCommit(context.args.commit, context)),
  fetch: async (context) => existingNote(context.http, context.repo, await resolveCommit(context.args.commit, context)),
  plain: ({ message = "" }) => (message.endsWith("\n") ? message : `${message}\n`),
});

/** `tongs commit note set`: POST the note of a commit, which replaces one that it has. */
const set = writeCommand({
  summary: "Set the note of a commit, replacing one that it has",
  details: "Without --body and --body-file, opens the editor.",
  on: "repository",
  needs: [noteSet],
  args: { commit: one("hash of the commit, or a branch or tag", { source: "ref" }) },
  flags: bodyFlags,
  exclusive: [["body", "bodyFile"]],
  output: note,
  exits: { notFound: "the commit does not exist" },
  examples: [["Set the note of a commit", 'tongs commit note set 3f2a91c --body "Seen by the harbor office."']],
  async work(context) {
    const { args, http, out, repo } = context;
    const sha = await existingCommit(args.commit, context);
    const { body, typed } = await commentText(context, { what: "Note" });
    const record = await keepingText(typed, out, () => call(http, noteSet, { repo, sha }, { message: body }));
    return { done: `Set the note of commit ${sha.slice(0, 10)} in ${fullName(repo)}`, record };
  },
});
