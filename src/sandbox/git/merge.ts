import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { isAncestor, listCommits, readCommits, type Signature } from "./commits.ts";
import { git, gitOrUndefined, tryGit } from "./git.ts";
import { commitTree } from "./write.ts";

/** What git says when two sides do not go together. */
export interface Conflict {
  readonly stdout: string;
  readonly stderr: string;
  /** The commit that a rebase stopped at. */
  readonly commit?: string;
}

export type Merged<T> = { readonly made: T } | { readonly conflict: Conflict };

/** The tree that merging two commits gives, or git's words about the conflict (git-merge-tree). */
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

/** Makes a merge commit of two. */
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

/** Puts all that a head adds into one commit on top of the base. */
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
 * Puts the commits that a head adds on top of another commit, one by one, as git-rebase does: merges are left out, so
 * are changes that are there already, and what needs no move stays the same commit.
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
    // A commit with our tree and their parent makes that parent the base that merge-tree finds.
    const stand = { parents: parent === undefined ? [] : [parent], message: "\n", author: committer, committer };
    const ours = await commitTree(site, repo, present, stand);
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

/** git-rebase's words when it stops. */
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

/** A message as git-commit stores it: no blanks at line ends, no double or outer empty lines, one line end. */
function cleanMessage(message: string): string {
  const lines = message.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n");
  return `${lines.replace(/^\n+|\n+$/g, "")}\n`;
}

/** The commit where two parted; empty when they never met. */
export async function mergeBaseOf(site: Site, repo: RepoRecord, one: string, other: string): Promise<string> {
  return (await gitOrUndefined(site, repo, ["merge-base", one, other])) ?? "";
}

/** How many commits a base has that a head lacks. */
export async function countBehind(site: Site, repo: RepoRecord, base: string, head: string): Promise<number> {
  return Number(await git(site, repo, ["rev-list", "--count", `${head}..${base}`]));
}

/** The merge that brought a head into a base, or the head itself when there was none. */
export async function mergingCommit(site: Site, repo: RepoRecord, base: string, head: string): Promise<string> {
  const merges = await listCommits(site, repo, ["--ancestry-path", "--merges", "--reverse", `${head}..${base}`]);
  return merges[0] ?? head;
}

export const contains = (site: Site, repo: RepoRecord, base: string, commit: string) =>
  isAncestor(site, repo, commit, base);
