import { defineCommand } from "../../app/define.ts";
import { existingFlags, onExistingOf } from "../../app/download-files.ts";
import { readPaths } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { text, textOr, toggle } from "../../command/flags.ts";
import { content } from "../../forge/contents.ts";
import { contentsRef } from "../../forge/resolve-commit.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { repositoryPath } from "./shared.ts";

/** `tongs file get`: GET many files by few requests, and write them below a folder. */
export const get = defineCommand({
  summary: "Download files of a repository",
  details:
    "Saves each file as DIR/PATH, and no file outside DIR. Symbolic links, submodules and directories are reported, not " +
    "followed. A Git LFS pointer is saved as it is, unless --lfs is given. JSON output has the additional field file, " +
    "and no content.",
  external: { uses: "Git LFS", with: ["lfs"] },
  on: "repository",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { path: many("paths in the repository", { dash: "lines" }) },
  flags: {
    ref: text("branch, tag or commit (default: the default branch)", { placeholder: "REF", source: "ref" }),
    dir: textOr(".", "directory to save into", { short: "D", names: "output file", placeholder: "DIR" }),
    lfs: toggle("download the files behind Git LFS pointers"),
    ...existingFlags,
  },
  exclusive: [["clobber", "skipExisting"]],
  exits: { failure: "a path is not a file, or the file exists", partly: "some files were saved, some failed" },
  output: listOf(record({ ...content.fields, file: string })),
  examples: [
    ["Download two files into a directory", "tongs file get README.md src/main.ts --dir out"],
    ["Download the files listed in a file", "tongs file get - --ref v1.0 < paths.txt"],
  ],
  async run(context) {
    const { args, flags, system } = context;
    const paths = [...new Set((await readPaths(args.path, system)).map(repositoryPath))];
    const { saveFiles } = await import("./save-files.ts");
    const onExisting = onExistingOf(flags);
    return saveFiles(
      paths,
      { ref: await contentsRef(flags.ref, context), dir: flags.dir, lfs: flags.lfs, onExisting },
      context,
    );
  },
});
