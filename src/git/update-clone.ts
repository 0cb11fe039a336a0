import { Failure } from "../failure/failure.ts";
import { keepIgnored, runSafely } from "./checkout-branch.ts";
import type { Git, GitOptions } from "./git.ts";

/** What became of a clone: how many commits its branch moved by, or why that was left alone. */
export interface Update {
  readonly commits: number;
  /** `HEAD is detached`: only the remote-tracking branches are up to date. */
  readonly note?: string;
}

/**
 * Fetches a remote, and fast-forwards the current branch to its upstream. Throws a `local_work` or `diverged` failure and
 * changes no file if there are uncommitted changes or commits that the upstream does not have, besides new ones of it.
 */
export async function updateClone(git: Git, remote: string, options: GitOptions): Promise<Update> {
  const verbose = options.progress === undefined ? [] : ["--progress"];
  await git.run(["fetch", ...verbose, "--", remote], options);
  const branch = await git.currentBranch();
  if (branch === undefined) return { commits: 0, note: "HEAD is detached" };
  const parse = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
  const upstream = await git.attempt([...parse, `${branch}@{upstream}`]);
  const commit = upstream.stdout.trim();
  if (upstream.code !== 0) {
    const { stdout } = await git.attempt(["for-each-ref", "--count=1", `refs/remotes/${remote}/`]);
    return stdout === "" ? { commits: 0 } : { commits: 0, note: `branch ${branch} has no upstream` };
  }
  // A clone of an empty repository has no commit.
  const isUnborn = (await git.attempt([...parse, "HEAD"])).code !== 0;
  const count = ["rev-list", "--count", "--end-of-options"];
  const [own, theirs] = await Promise.all([
    isUnborn ? 0 : git.run([...count, `${commit}..HEAD`, "--"]).then(Number),
    git.run([...count, isUnborn ? commit : `HEAD..${commit}`, "--"]).then(Number),
  ]);
  if (theirs === 0) return own === 0 ? { commits: 0 } : { commits: 0, note: `${own} ahead of its upstream` };
  if (own > 0) {
    const message = `Branch ${branch} and its upstream have diverged: ${own} ahead, ${theirs} behind`;
    throw new Failure("diverged", message, { hint: `Rebase or merge it in ${git.cwd}.` });
  }
  // What a submodule has checked out is no change of this repository, and a fast-forward leaves it as it is.
  const changes = await git.run(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"]);
  if (changes !== "") {
    const message = `Branch ${branch} is ${theirs} behind its upstream, and has uncommitted changes`;
    throw new Failure("local_work", message, { hint: `Commit or stash them in ${git.cwd}.` });
  }
  await runSafely(git, ["merge", "--ff-only", "--quiet", keepIgnored, "--end-of-options", commit], false);
  return { commits: theirs };
}
