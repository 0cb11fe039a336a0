import { Failure } from "../failure/failure.ts";
import { repositoryOfUrl } from "../repo/repo-name.ts";
import type { Git } from "./git.ts";

/** A branch that is to be checked out at a commit. */
export interface Landing {
  readonly branch: string;
  /** The hash that it is to be at; the commit is here already. */
  readonly target: string;
  /** What it follows afterwards: a remote's name or an address, and a ref there. */
  readonly remote: string;
  readonly merge: string;
  /** A folder for a new worktree, instead of the one here. */
  readonly worktree: string | undefined;
  /** Commits of the branch that the target lacks may go; changes that are not committed are kept even so. */
  readonly force: boolean;
}

/** What happened to the branch: `commits` it moved by, or has of its own; `before` is where it was. */
export type Landed =
  | { readonly how: "created" | "unchanged" }
  | { readonly how: "advanced" | "ahead"; readonly commits: number }
  | { readonly how: "reset"; readonly before: string };

/**
 * Checks a branch out at a commit and lets it follow where that came from. A branch that exists is moved forward only,
 * and only if it follows the same already, or nothing. Throws a failure, with everything as it was, where work would
 * be lost: commits of its own, changes that are not committed, a branch that is checked out elsewhere.
 */
export async function checkoutBranch(git: Git, landing: Landing): Promise<Landed> {
  const { branch, target, worktree, force } = landing;
  const full = `refs/heads/${branch}`;
  const before = await hashOf(git, full);
  const landed: Landed = before === undefined ? { how: "created" } : await plan(git, before, landing);
  const goal = landed.how === "ahead" ? (before ?? target) : target;
  const here = (await git.currentBranch()) === branch;
  const elsewhere = await worktreeOf(git, full);
  if (elsewhere !== undefined && (!here || worktree !== undefined)) {
    throw refused(`The branch ${branch} is checked out in ${elsewhere}`, "Work there, or choose --branch or --detach.");
  }

  if (here && before !== undefined) {
    if (landed.how === "advanced") await careful(git, ["merge", "--ff-only", "--quiet", goal]);
    if (landed.how === "reset") await careful(git, ["reset", "--keep", "--quiet", goal]);
  } else if (before === undefined) {
    const make = worktree === undefined ? ["checkout", "--quiet"] : ["worktree", "add", "--quiet"];
    const where = worktree === undefined ? [] : ["--", worktree];
    await careful(git, [...make, "--no-track", "-b", branch, ...where, goal]);
  } else {
    await move(git, full, goal, before);
    const go = worktree === undefined ? ["checkout", "--quiet", branch, "--"] : addWorktree(worktree, branch);
    await careful(git, go).catch(async (error: unknown) => {
      await move(git, full, before, goal);
      throw error;
    });
  }
  if (landed.how === "created" || force || (await followed(git, branch)).merge === undefined)
    await follow(git, landing);
  return landed;
}

/** Checks a commit out without any branch. */
export async function landDetached(git: Git, target: string, worktree: string | undefined): Promise<void> {
  const here = ["checkout", "--quiet", "--detach", target];
  await careful(
    git,
    worktree === undefined ? here : ["worktree", "add", "--quiet", "--detach", "--", worktree, target],
  );
}

async function plan(git: Git, before: string, landing: Landing): Promise<Landed> {
  const { branch, target, force } = landing;
  const other = await followed(git, branch);
  if (!force && other.merge !== undefined && !(await sameGoal(git, other, landing))) {
    throw refused(
      `The branch ${branch} here follows ${other.remote} ${other.merge.replace(/^refs\/heads\//, "")}, something else`,
      "Choose another name with --branch NAME.",
    );
  }
  if (before === target) return { how: "unchanged" };
  const count = async (range: string) => Number(await git.run(["rev-list", "--count", range, "--"]));
  const [own, theirs] = await Promise.all([count(`${target}..${before}`), count(`${before}..${target}`)]);
  if (own === 0) return { how: "advanced", commits: theirs };
  if (force) return { how: "reset", before };
  if (theirs === 0) return { how: "ahead", commits: own };
  throw refused(
    `The branch ${branch} here has ${commits(own)} that the pull request lacks, and lacks ${theirs} of its own`,
    "Keep both with --branch NAME or --detach, or give those here up with --force.",
  );
}

interface Followed {
  readonly remote: string | undefined;
  readonly merge: string | undefined;
}

async function followed(git: Git, branch: string): Promise<Followed> {
  const value = async (key: string) => {
    const { code, stdout } = await git.attempt(["config", "--get", `branch.${branch}.${key}`]);
    return code === 0 ? stdout.trim() : undefined;
  };
  return { remote: await value("remote"), merge: await value("merge") };
}

/** Whether two remotes, by name or address, and two refs on them are the same. */
async function sameGoal(git: Git, one: Followed, other: Followed): Promise<boolean> {
  if (one.merge !== other.merge) return false;
  if (one.remote === other.remote) return true;
  const remotes = await git.remotes();
  const place = ({ remote = "" }: Followed) => {
    const found = remotes.find(({ name }) => name === remote) ?? repositoryOfUrl(remote);
    return found === undefined ? remote : `${found.owner}/${found.repo}`.toLowerCase();
  };
  return place(one) === place(other);
}

async function follow(git: Git, { branch, remote, merge }: Landing): Promise<void> {
  await git.run(["config", `branch.${branch}.remote`, remote]);
  await git.run(["config", `branch.${branch}.merge`, merge]);
  // An address is followed to push to it, whatever remote.pushDefault says.
  if (/:\/\//.test(remote) && merge.startsWith("refs/heads/"))
    await git.run(["config", `branch.${branch}.pushRemote`, remote]);
}

async function move(git: Git, ref: string, to: string, from: string): Promise<void> {
  if (to !== from) await git.run(["update-ref", "-m", "tongs pr checkout", ref, to, from]);
}

function addWorktree(folder: string, branch: string): string[] {
  return ["worktree", "add", "--quiet", "--", folder, branch];
}

/** Runs a git command that leaves changes that are not committed alone, and says so when they are in its way. */
async function careful(git: Git, args: readonly string[]): Promise<void> {
  const { code, stderr } = await git.attempt(args);
  if (code === 0) return;
  const said = stderr.trim().replace(/^(error|fatal): /gm, "");
  if (!/would be overwritten|not uptodate/.test(said)) {
    throw new Failure("git", "failure", `git ${args[0]} failed: ${said}`);
  }
  const files = [...said.matchAll(/^\t(.+)$/gm), ...said.matchAll(/Entry '(.+)' not uptodate/g)].map(
    ([, file]) => file,
  );
  throw refused(
    `Changes here that are not committed are in the way: ${files.join(", ")}`,
    "Commit or stash them, or use --worktree DIR.",
  );
}

async function hashOf(git: Git, ref: string): Promise<string | undefined> {
  const { code, stdout } = await git.attempt(["rev-parse", "--verify", "--quiet", ref]);
  return code === 0 ? stdout.trim() : undefined;
}

/** The folder of the worktree that has a branch checked out. */
async function worktreeOf(git: Git, ref: string): Promise<string | undefined> {
  const { stdout } = await git.attempt(["worktree", "list", "--porcelain"]);
  const block = stdout.split("\n\n").find((one) => one.split("\n").includes(`branch ${ref}`));
  return block === undefined ? undefined : /^worktree (.*)$/m.exec(block)?.[1];
}

function commits(count: number): string {
  return `${count} commit${count === 1 ? "" : "s"}`;
}

function refused(message: string, hint: string): Failure {
  return new Failure("local_work", "refused", message, { hint });
}
