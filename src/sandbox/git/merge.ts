import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { listCommits, readCommits, type Signature } from "./commits.ts";
import { git, gitOrUndefined, tryGit } from "./git.ts";
import { commitTree } from "./write.ts";

/** The output of git for a conflict. */
export interface Conflict {
  readonly stdout: string;
  readonly stderr: string;
  /** The commit at which a rebase stopped. */
  readonly commit?: string;
}

/** The result of a merge: a new object id, or a conflict. */
export type Merged<T> = { readonly made: T } | { readonly conflict: Conflict };

/** Merges two commits into a tree (git-merge-tree). */
export async function mergeTrees(site: Site, repo: RepoRecord, ours: string, theirs: string): Promise<Merged<string>> {
  const { code, out, err } = await tryGit(site, repo, ["merge-tree", "--write-tree", "--name-only", ours, theirs]);
  const text = out.toString("utf8");
  if (code === 0) return { made: text.trim() };
  if (code !== 1) {
    if (/unrelated histories/.test(err)) return { conflict: { stdout: "", stderr: err } };
    throw new Error(`git merge-tree: exit status ${code} - ${err.trim()}`);
  }
  return { conflict: { stdout: text.slice(text.indexOf("\n\n") + 2), stderr: "" } };
}

/** Creates a merge commit of two commits. */
export async function mergeCommits(
  site: Site,
  repo: RepoRecord,
  [ours, theirs]: readonly [string, string],
  message: string,
  doer: Signature,
): Promise<Merged<string>> {
  const tree = await mergeTrees(site, repo, ours, theirs);
  if ("conflict" in tree) {
    const failed = "Automatic merge failed; fix conflicts and then commit the result.\n";
    const { stdout, stderr } = tree.conflict;
    return { conflict: { stdout: stdout === "" ? "" : stdout + failed, stderr } };
  }
  const commit = { parents: [ours, theirs], message: cleanMessage(message), author: doer, committer: doer };
  return { made: await commitTree(site, repo, tree.made, commit) };
}

/** Squashes a head into one commit on top of the base. */
export async function squashCommits(
  site: Site,
  repo: RepoRecord,
  [ours, theirs]: readonly [string, string],
  message: string,
  { author, committer }: { readonly author: Signature; readonly committer: Signature },
): Promise<Merged<string>> {
  const tree = await mergeTrees(site, repo, ours, theirs);
  if ("conflict" in tree) return tree;
  const commit = { parents: [ours], message: cleanMessage(message), author, committer };
  return { made: await commitTree(site, repo, tree.made, commit) };
}

/**
 * Rebases a head as git-rebase does: merge commits and changes already applied are skipped, and commits that are
 * already in place are kept.
 */
export async function rebaseCommits(
  site: Site,
  repo: RepoRecord,
  [onto, head]: readonly [string, string],
  committer: Signature,
): Promise<Merged<string>> {
  const range = ["--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only", `${onto}...${head}`];
  const commits = await readCommits(site, repo, await listCommits(site, repo, range));
  let tip = onto;
  for (const [at, { sha, tree, parents, author, message }] of commits.entries()) {
    const parent = parents[0];
    if (parent === tip) {
      tip = sha;
      continue;
    }
    const present = await git(site, repo, ["rev-parse", `${tip}^{tree}`]);
    // A commit of our tree on top of their parent makes that parent the merge base for merge-tree.
    const replacement = { parents: parent === undefined ? [] : [parent], message: "\n", author: committer, committer };
    const ours = await commitTree(site, repo, present, replacement);
    const merged = await mergeTrees(site, repo, ours, sha);
    if ("conflict" in merged) {
      const { stdout } = merged.conflict;
      return { conflict: { stdout, stderr: rebaseStoppedText(sha, message, at + 1, commits.length), commit: sha } };
    }
    const wasEmpty =
      parent !== undefined && (await gitOrUndefined(site, repo, ["rev-parse", `${parent}^{tree}`])) === tree;
    if (merged.made === present && !wasEmpty) continue;
    tip = await commitTree(site, repo, merged.made, { parents: [tip], message, author, committer });
  }
  return { made: tip };
}

/** The output of git-rebase when it stops. */
function rebaseStoppedText(sha: string, message: string, at: number, total: number): string {
  const steps = Array.from({ length: at }, (_, step) => `Rebasing (${step + 1}/${total})\r`).join("");
  const what = `could not apply ${sha.slice(0, 7)}... ${message.split("\n")[0] ?? ""}`;
  const hints = [
    "Resolve all conflicts manually, mark them as resolved with",
    `"git add/rm <conflicted_files>", then run "git rebase --continue".`,
    `You can instead skip this commit: run "git rebase --skip".`,
    `To abort and get back to the state before "git rebase", run "git rebase --abort".`,
  ];
  return `${steps}error: ${what}\n${hints.map((hint) => `hint: ${hint}\n`).join("")}C${what.slice(1)}\n`;
}

/**
 * Cleans up a message as git-commit does: strips trailing whitespace and outer or repeated empty lines, and ends it
 * with a newline.
 */
function cleanMessage(message: string): string {
  const lines = message.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n");
  return `${lines.replace(/^\n+|\n+$/g, "")}\n`;
}

/** The merge base of two commits; empty for unrelated histories. */
export async function mergeBaseOf(site: Site, repo: RepoRecord, one: string, other: string): Promise<string> {
  return (await gitOrUndefined(site, repo, ["merge-base", one, other])) ?? "";
}

/** How many commits a head is behind a base. */
export async function countBehind(site: Site, repo: RepoRecord, base: string, head: string): Promise<number> {
  return Number(await git(site, repo, ["rev-list", "--count", `${head}..${base}`]));
}

/** The commit that merged a head into a base, or the head itself after a fast-forward. */
export async function mergingCommit(site: Site, repo: RepoRecord, base: string, head: string): Promise<string> {
  const merges = await listCommits(site, repo, ["--ancestry-path", "--merges", "--reverse", `${head}..${base}`]);
  return merges[0] ?? head;
}
