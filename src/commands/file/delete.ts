import { defineCommand } from "../../app/define.ts";
import { readPaths } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { changedContent, changedContents, changeFiles, deleteFile, fileDelete } from "../../forge/file-changes.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { optional, record } from "../../shape/shape.ts";
import { existingFiles } from "./existing-files.ts";
import { changedBranch, commitOptions, committed, repositoryPath, writeFlags } from "./shared.ts";

/** `tongs file delete`: DELETE a file, or several by one POST of changes. */
export const remove = defineCommand({
  summary: "Delete files of a repository",
  details: "Deletes all files in one commit; if one fails, nothing is deleted. Prints the URL of the commit.",
  on: "repository",
  effect: "destroy",
  args: { path: many("paths in the repository", { dash: "lines" }) },
  flags: writeFlags,
  exits: { refused: "a file has changed" },
  output: record({ ...changedContents.fields, content: optional(changedContent.fields.content) }),
  examples: [["Delete two files in one commit", 'tongs file delete old.md older.md -m "Remove old files" --yes']],
  async run(context) {
    const { args, flags, http, repo, server, out, prompt, system } = context;
    const paths = [...new Set((await readPaths(args.path, system)).map(repositoryPath))];
    const options = await commitOptions(flags, context);
    const files = await existingFiles(paths, flags.branch, context);
    const what = paths.length === 1 ? `${paths[0]}` : `${paths.length} files`;
    const where = `on ${await changedBranch(flags, context)} of ${fullName(repo)}`;
    await prompt.confirmAction({ what: `Delete ${what} ${where}`, sends: fileDelete });
    const [first] = files;
    const made =
      files.length === 1 && first !== undefined
        ? await deleteFile(http, repo, first.path, { ...options, sha: first.sha })
        : await changeFiles(http, repo, {
            ...options,
            files: files.map(({ path, sha }) => ({ operation: "delete", path, sha })),
          });
    const { done, ...result } = committed(`Deleted ${what} ${where} ${accountLabel(server)}`, made);
    await out.done(done, result);
  },
});
