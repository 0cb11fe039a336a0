import { Failure } from "../failure/failure.ts";
import { isSameRepo, repositoryOfUrl } from "../repo/repo-name.ts";
import type { Git } from "./git.ts";
import { branchInWay, branchName, type Upstream } from "./refs.ts";

/** git overwrites ignored files without a word otherwise, such as an own .env that the pull request adds. */
export const keepIgnored = "--no-overwrite-ignore";
const checkoutQuietly = ["checkout", "--quiet", keepIgnored];

/** A branch to check out. */
export interface BranchCheckout {
  readonly branch: string;
  /** The hash of the commit, which was already fetched. */
  readonly target: string;
  /** The upstream to set: the name or URL of a remote, and a ref. */
  readonly remote: string;
  readonly merge: string;
  /** A folder for a new worktree; undefined for the current one. */
  readonly worktree: string | undefined;
  /** Whether the user can choose such a folder. */
  readonly offersWorktree?: boolean;
  /** Discard local commits that the target does not have. Uncommitted changes are kept. */
  readonly force: boolean;
}

/** What happened to the branch: `commits` is how many it moved by or is ahead, `before` its previous commit. */
export type CheckoutResult =
  | { readonly how: "created" | "unchanged" }
  | { readonly how: "advanced" | "ahead"; readonly commits: number }
  | { readonly how: "reset"; readonly before: string };

/**
 * Checks out a branch at a commit and sets its upstream. An existing branch is only fast-forwarded, and only if it has the
 * same upstream or none. Throws a `Failure` without changing anything if local commits or uncommitted changes would be lost,
 * or if the branch is checked out in another worktree.
 */
export async function checkoutBranch(git: Git, checkout: BranchCheckout): Promise<CheckoutResult> {
  const { target, worktree, force, offersWorktree = true } = checkout;
  const safely = (args: readonly string[]) => runSafely(git, args, offersWorktree);
  // git 2.39 takes no --end-of-options in checkout, reset and worktree: a valid name is not an option.
  const branch = branchName(checkout.branch);
  const full = `refs/heads/${branch}`;
  const before = await hashOf(git, full);
  const other = before === undefined ? await branchInWay(git, branch) : undefined;
  if (other !== undefined) {
    throw refused(`git allows no branch ${branch} beside branch ${other}`, "Pass --branch NAME to use another name.");
  }
  const result: CheckoutResult = before === undefined ? { how: "created" } : await plan(git, before, checkout);
  const commit = result.how === "ahead" ? (before ?? target) : target;
  const here = (await git.currentBranch()) === branch;
  const elsewhere = await worktreeOf(git, full);
  if (elsewhere !== undefined && (!here || worktree !== undefined)) {
    throw refused(
      `Branch ${branch} is already checked out in ${elsewhere}`,
      "Use that worktree, or pass --branch or --detach.",
    );
  }

  if (here && before !== undefined) {
    const forward = ["merge", "--ff-only", "--quiet", keepIgnored, "--end-of-options", commit];
    if (result.how === "advanced") await safely(forward);
    // reset --keep overwrites ignored files. Like it, and unlike checkout -B, switch is refused during a merge.
    if (result.how === "reset") await safely(["switch", "--quiet", keepIgnored, "--no-track", "-C", branch, commit]);
  } else if (before === undefined) {
    const make = worktree === undefined ? checkoutQuietly : ["worktree", "add", "--quiet"];
    const where = worktree === undefined ? [] : ["--", worktree];
    await safely([...make, "--no-track", "-b", branch, ...where, commit]);
  } else {
    await updateRef(git, full, commit, before);
    const go = worktree === undefined ? [...checkoutQuietly, branch, "--"] : worktreeArgs(worktree, branch);
    await safely(go).catch(async (error: unknown) => {
      await updateRef(git, full, before, commit);
      throw error;
    });
  }
  const hasUpstream = (await upstreamOf(git, branch)).merge === checkout.merge;
  if (result.how === "created" || force || !hasUpstream) await setUpstream(git, checkout);
  return result;
}

/** Checks out a commit with a detached HEAD. */
export async function checkoutDetached(git: Git, target: string, worktree: string | undefined): Promise<void> {
  const here = [...checkoutQuietly, "--detach", target];
  await runSafely(
    git,
    worktree === undefined ? here : ["worktree", "add", "--quiet", "--detach", "--", worktree, target],
  );
}

async function plan(git: Git, before: string, checkout: BranchCheckout): Promise<CheckoutResult> {
  const { branch, target, force } = checkout;
  const other = await upstreamOf(git, branch);
  if (!force && other.merge !== undefined && !(await sameUpstream(git, other, checkout))) {
    throw refused(
      `Local branch ${branch} has another upstream: ${other.remote} ${other.merge.replace(/^refs\/heads\//, "")}`,
      "Pass --branch NAME to use another name.",
    );
  }
  if (before === target) return { how: "unchanged" };
  const count = async (range: string) =>
    Number(await git.run(["rev-list", "--count", "--end-of-options", range, "--"]));
  const [own, theirs] = await Promise.all([count(`${target}..${before}`), count(`${before}..${target}`)]);
  if (own === 0) return { how: "advanced", commits: theirs };
  if (force) return { how: "reset", before };
  if (theirs === 0) return { how: "ahead", commits: own };
  throw refused(
    `Local branch ${branch} and the pull request have diverged: ${commits(own)} ahead, ${theirs} behind`,
    "Pass --branch NAME or --detach to keep both, or --force to discard the local commits.",
  );
}

async function upstreamOf(git: Git, branch: string): Promise<Upstream> {
  const value = async (key: string) => {
    const { code, stdout } = await git.attempt(["config", "--get", `branch.${branch}.${key}`]);
    return code === 0 ? stdout.trim() : undefined;
  };
  return { remote: await value("remote"), merge: await value("merge") };
}

/** Whether an upstream is the one to set; remotes can be names or URLs. */
async function sameUpstream(git: Git, old: Upstream, checkout: BranchCheckout): Promise<boolean> {
  const { remote, merge } = checkout;
  if (old.merge !== merge) return false;
  if (old.remote === remote) return true;
  const remotes = await git.remotes();
  const repository = (of = "") => {
    const found = remotes.find(({ name }) => name === of) ?? repositoryOfUrl(of);
    return found && { owner: found.owner, name: found.repo };
  };
  const [before, now] = [repository(old.remote), repository(remote)];
  return before !== undefined && now !== undefined && isSameRepo(before, now);
}

async function setUpstream(git: Git, { branch, remote, merge }: BranchCheckout): Promise<void> {
  await git.run(["config", `branch.${branch}.remote`, remote]);
  await git.run(["config", `branch.${branch}.merge`, merge]);
  // Push to a URL upstream, whatever remote.pushDefault is.
  if (/:\/\//.test(remote) && merge.startsWith("refs/heads/"))
    await git.run(["config", `branch.${branch}.pushRemote`, remote]);
}

async function updateRef(git: Git, ref: string, to: string, from: string): Promise<void> {
  if (to !== from) await git.run(["update-ref", "-m", "tongs pr checkout", ref, to, from]);
}

function worktreeArgs(folder: string, branch: string): string[] {
  return ["worktree", "add", "--quiet", "--", folder, branch];
}

/** Runs a git command. Throws a `Failure` with the file names if it would overwrite uncommitted changes. */
export async function runSafely(git: Git, args: readonly string[], offersWorktree = true): Promise<void> {
  const { code, stderr } = await git.attempt(args);
  if (code === 0) return;
  const message = stderr.trim().replace(/^(error|fatal): /gm, "");
  if (!/would be overwritten|not uptodate/.test(message)) {
    throw new Failure("git", `git ${args[0]} failed: ${message}`);
  }
  const files = [...message.matchAll(/^\t(.+)$/gm), ...message.matchAll(/Entry '(.+)' not uptodate/g)].map(
    ([, file]) => file,
  );
  throw refused(
    `Uncommitted changes would be overwritten: ${files.join(", ")}`,
    `Commit or stash them${offersWorktree ? ", or pass --worktree DIR" : ""}.`,
  );
}

async function hashOf(git: Git, ref: string): Promise<string | undefined> {
  const { code, stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", ref]);
  return code === 0 ? stdout.trim() : undefined;
}

/** The folder of the worktree in which a branch is checked out. */
async function worktreeOf(git: Git, ref: string): Promise<string | undefined> {
  const { stdout } = await git.attempt(["worktree", "list", "--porcelain"]);
  const block = stdout.split("\n\n").find((one) => one.split("\n").includes(`branch ${ref}`));
  return block === undefined ? undefined : /^worktree (.*)$/m.exec(block)?.[1];
}

function commits(count: number): string {
  return `${count} commit${count === 1 ? "" : "s"}`;
}

function refused(message: string, hint: string): Failure {
  return new Failure("local_work", message, { hint });
}
