import { compareCommits } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullFileList } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { headBranch, type PullContext } from "./pull.ts";

/** What is known about a conflict between a pull request and its base branch. */
export interface Conflict {
  /** `yes` and `no` come from git; `unknown` means that only the files changed on both sides are known. */
  readonly certain: "yes" | "no" | "unknown";
  /** The conflicting files, or those changed on both sides. */
  readonly files: readonly string[];
}

/** Finds the conflict: with git if the commits are available locally, else by the files that both sides changed. */
export async function findConflict(context: PullContext, pull: PullRequest): Promise<Conflict> {
  const result = await findConflictWithGit(context, pull);
  if (result !== undefined) return result;
  // This only explains an error: nothing is known if the caller cannot read both sides.
  const files = await changedOnBothSides(context, pull).catch((error: unknown) => {
    if (error instanceof HttpError) return [];
    throw error;
  });
  return { certain: "unknown", files };
}

/** Merges the two commits with the local git, if it has both. Nothing is written to a branch. */
async function findConflictWithGit({ git }: PullContext, pull: PullRequest): Promise<Conflict | undefined> {
  const [base, head] = [pull.base?.sha, pull.head?.sha];
  if (!base || !head) return undefined;
  const merge = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "--end-of-options", base, head];
  const result = await git.attempt(merge).catch(() => undefined);
  if (result?.code === 0) return { certain: "no", files: [] };
  const [tree = "", ...files] = (result?.stdout ?? "").trimEnd().split("\n");
  if (result?.code !== 1 || !/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  return { certain: "yes", files };
}

/** The files changed in both the pull request and its base since the merge base. */
async function changedOnBothSides({ http, repo }: PullContext, pull: PullRequest): Promise<string[]> {
  if (!pull.merge_base || !pull.base?.sha) return [];
  const [ours, theirs] = await allSettledOrThrow([
    collect(call(http, pullFileList, { repo, index: pull.number })),
    compareCommits(
      http,
      repo,
      { sha: pull.merge_base, branch: headBranch(pull) },
      { sha: pull.base.sha, branch: pull.base.ref },
      {},
    ),
  ]);
  const base = new Set((theirs.commits ?? []).flatMap((commit) => (commit.files ?? []).map((file) => file.filename)));
  const names = ours.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]);
  return [...new Set(names)].filter((name) => base.has(name));
}
