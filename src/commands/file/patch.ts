import { readFileFlag } from "../../app/input.ts";
import { writeCommand } from "../../app/write-command.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { applyPatch, changedContent } from "../../forge/file-changes.ts";
import { fullName } from "../../repo/repo-name.ts";
import { changedBranch, commitFlags, commitOptions, committed } from "./shared.ts";

/** `tongs file patch`: POST a diff, which the server applies as one commit. */
export const patch = writeCommand({
  summary: "Apply a patch to a repository, on the server",
  details: "The patch is a diff as git diff prints it. Makes one commit and prints its URL.",
  on: "repository",
  args: { patch: optional("file with the patch (default: stdin)", { dash: "stdin", names: "input file" }) },
  flags: commitFlags,
  exits: { refused: "the patch does not apply" },
  output: changedContent,
  examples: [["Apply uncommitted changes", 'git diff | tongs file patch - -m "Fix the tides" --new-branch fix-tides']],
  async work(context) {
    const { args, flags, http, repo, system } = context;
    const content = await readFileFlag("PATCH", args.patch ?? "-", system);
    if (!/^(diff --git |--- |\*\*\* |Index: )/m.test(content)) throw new UsageError("The input is not a patch");
    const options = await commitOptions(flags, context);
    const branch = await changedBranch(flags, context);
    const made = await applyPatch(http, repo, { ...options, content });
    return committed(`Applied the patch to ${branch} of ${fullName(repo)}`, made);
  },
});
