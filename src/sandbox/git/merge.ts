import type { RepoAt } from "../site.ts";
import { listCommits, readCommits, type Signature } from "./commits.ts";
import { git, gitOrUndefined, tryGit } from "./git.ts";
import { commitTree } from "./trees.ts";

/** The result of a merge: a new object id, or the output of git for a conflict, and the commit at which a rebase stopped. */
export type Merged =
  | { readonly made: string }
  | { readonly conflict: { readonly stdout: string; readonly stderr: string; readonly commit?: string } };

/** Merges two commits into a tree (git-merge-tree). */
export async function mergeTrees(at: RepoAt, ours: string, theirs: string): Promise<Merged> {
  const { code, out, err } = await tryGit(at, ["merge-tree", "--write-tree", "--name-only", ours, theirs]);
  const text = out.toString("utf8");
  if (code === 0) return { made: text.trim() };
  if (code === 1) return { conflict: { stdout: text.slice(text.indexOf("\n\n") + 2), stderr: "" } };
  if (/unrelated histories/.test(err)) return { conflict: { stdout: "", stderr: err } };
  throw new Error(`git merge-tree: exit status ${code} - ${err.trim()}`);
}

/** Merges two commits into a new one, by default with both as its parents. */
export async function mergeCommits(
  at: RepoAt,
  [ours, theirs]: readonly [string, string],
  message: string,
  committer: Signature,
  { author = committer, parents = [ours, theirs] }: { author?: Signature; parents?: readonly string[] } = {},
): Promise<Merged> {
  const tree = await mergeTrees(at, ours, theirs);
  if ("conflict" in tree) return tree;
  const commit = { parents, message: cleanMessage(message), author, committer };
  return { made: await commitTree(at, tree.made, commit) };
}

/**
 * Rebases a head as git-rebase does: merge commits and changes already applied are skipped, and commits that are
 * already in place are kept.
 */
export async function rebaseCommits(
  at: RepoAt,
  [onto, head]: readonly [string, string],
  committer: Signature,
): Promise<Merged> {
  const range = ["--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only", `${onto}...${head}`];
  let tip = onto;
  for (const { sha, parents, author, message } of await readCommits(at, await listCommits(at, range))) {
    if (parents[0] === tip) {
      tip = sha;
      continue;
    }
    const present = await git(at, ["rev-parse", `${tip}^{tree}`]);
    // A commit of our tree on top of their parent makes that parent the merge base for merge-tree.
    const ours = await commitTree(at, present, { parents: parents.slice(0, 1), message: "\n", committer });
    const merged = await mergeTrees(at, ours, sha);
    if ("conflict" in merged) {
      const stderr = `error: could not apply ${sha.slice(0, 7)}... ${message.split("\n")[0]}\n`;
      return { conflict: { ...merged.conflict, stderr, commit: sha } };
    }
    if (merged.made !== present)
      tip = await commitTree(at, merged.made, { parents: [tip], message, author, committer });
  }
  return { made: tip };
}

/** Cleans up a message as git-commit does: strips trailing whitespace and outer or repeated empty lines. */
function cleanMessage(message: string): string {
  const lines = message.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n");
  return `${lines.replace(/^\n+|\n+$/g, "")}\n`;
}

/** The merge base of two commits; empty for unrelated histories. */
export async function mergeBaseOf(at: RepoAt, one: string, other: string): Promise<string> {
  return (await gitOrUndefined(at, ["merge-base", one, other])) ?? "";
}

/** How many commits a head is behind a base. */
export async function countBehind(at: RepoAt, base: string, head: string): Promise<number> {
  return Number(await git(at, ["rev-list", "--count", `${head}..${base}`]));
}

/** The commit that merged a head into a base, or the head itself after a fast-forward. */
export async function mergingCommit(at: RepoAt, base: string, head: string): Promise<string> {
  const merges = await listCommits(at, ["--ancestry-path", "--merges", "--reverse", `${head}..${base}`]);
  return merges[0] ?? head;
}
