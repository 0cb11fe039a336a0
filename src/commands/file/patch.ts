import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readFileFlag } from "../../app/input.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { applyPatch, changedContent } from "../../forge/file-changes.ts";
import { lookUpFiles } from "../../forge/many-files.ts";
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
    if (flags.newBranch === undefined && (await isApplied(content, flags.branch, context))) {
      const said = `Nothing to change: the files of ${branch} are as the patch makes them; no commit was made`;
      return out.done(said, { record: { content: null, commit: null, verification: null }, unchanged: true });
    }
    const made = await applyPatch(http, repo, { ...options, content });
    await out.done(`Applied the patch to ${branch} of ${fullName(repo)} ${accountLabel(server)}`, {
      prints: made.commit?.html_url ?? made.commit?.sha,
      record: made,
    });
  },
});

/**
 * Whether all files of a branch are already as a patch makes them, by the hashes that git diff writes: servers then make an
 * empty commit. False for a patch that does not have them, or changes modes or names.
 */
async function isApplied(patch: string, ref: string | undefined, { http, repo }: RepositoryContext): Promise<boolean> {
  const files = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
  const wanted = files.map((file) => ({
    path: /^\+\+\+ b\/(.+)$/m.exec(file)?.[1]?.replace(/[\t\r]+$/, ""),
    hash: /^index [0-9a-f]+\.\.([0-9a-f]{7,})/m.exec(file)?.[1],
    isPlain: !/^(old mode|rename|copy|new file) /m.test(file),
  }));
  const known = wanted.flatMap(({ path, hash, isPlain }) =>
    path !== undefined && hash !== undefined && isPlain ? [{ path, hash }] : [],
  );
  if (known.length === 0 || known.length < wanted.length) return false;
  const lookUp = lookUpFiles(http, repo, { paths: known.map(({ path }) => path), ref });
  const found = await Promise.all(known.map(async ({ path, hash }) => (await lookUp(path))?.sha?.startsWith(hash)));
  return found.every((isSame) => isSame === true);
}
