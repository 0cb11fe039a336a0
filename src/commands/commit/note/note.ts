import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import type { Table } from "../../../command/table.ts";
import { note, noteDelete } from "../../../forge/commits.ts";
import { call } from "../../../forge/operation.ts";
import { resolveCommit } from "../../../forge/resolve-commit.ts";
import { existingNote } from "./existing-note.ts";

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
  view: () => import("./view.ts").then((file) => file.view),
  set: () => import("./set.ts").then((file) => file.set),
  delete: notes.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
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
