import { defineCommand } from "../../app/define.ts";
import { readFileFlag } from "../../app/input.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { applyPatch, changedContent } from "../../forge/file-changes.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { changedBranch, commitFlags, commitOptions } from "./shared.ts";

/** `tongs file patch`: POST a diff, which the server applies as one commit. */
export const patch = defineCommand({
  summary: "Apply a patch to a repository, on the server",
  details: "The patch is a diff as git diff prints it. Makes one commit and prints its URL.",
  on: "repository",
  effect: "write",
  args: { patch: optional("file with the patch (default: stdin)", { dash: "stdin", names: "input file" }) },
  flags: commitFlags,
  exits: { refused: "the patch does not apply" },
  output: changedContent,
  examples: [["Apply uncommitted changes", 'git diff | tongs file patch - -m "Fix the tides" --new-branch fix-tides']],
  async run(context) {
    const { args, flags, http, repo, server, out, system } = context;
    const content = await readFileFlag("PATCH", args.patch ?? "-", system);
    if (!/^(diff --git |--- |\*\*\* |Index: )/m.test(content)) throw new UsageError("The input is not a patch");
    const options = await commitOptions(flags, context);
    const branch = await changedBranch(flags, context);
    const made = await applyPatch(http, repo, { ...options, content });
    await out.done(`Applied the patch to ${branch} of ${fullName(repo)} ${accountLabel(server)}`, {
      prints: made.commit?.html_url ?? made.commit?.sha,
      record: made,
    });
  },
});
