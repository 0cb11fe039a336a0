import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { tempFolder } from "../system/base-folders.ts";
import type { Git } from "./git.ts";

/**
 * Works in a worktree in a folder of its own, which is removed afterwards, also after Ctrl-C. `at` is what `git worktree add` is
 * given besides: the commit with `--detach`, or a new branch.
 */
export async function inTempWorktree<T>(
  git: Git,
  at: { readonly options: readonly string[]; readonly commit: string },
  work: (there: Git) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tempFolder(), "tongs-worktree-"));
  const there = git.at(join(folder, "worktree"));
  try {
    await git.run(["worktree", "add", "--quiet", ...at.options, "--", there.cwd, at.commit]);
    return await work(there);
  } finally {
    const remove = ["worktree", "remove", "--force", "--force", "--", there.cwd];
    await git.attempt(remove, { cleansUp: true }).catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The files that conflict, after a merge, a rebase or a revert. */
export async function conflictedFiles(git: Git): Promise<string[]> {
  const { stdout } = await git.attempt(["diff", "--name-only", "--diff-filter=U", "-z"]);
  return stdout.split("\0").filter((file) => file !== "");
}

/** Throws a `shallow_clone` failure for a clone that lacks history. `why` says what it is needed for. */
export async function refuseShallow(git: Git, why: string): Promise<void> {
  if ((await git.attempt(["rev-parse", "--is-shallow-repository"])).stdout.trim() !== "true") return;
  throw new Failure("shallow_clone", `The clone is shallow${why}`, { hint: "Fetch it first: git fetch --unshallow" });
}
