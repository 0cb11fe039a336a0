import type { BaseContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { Interruption } from "../../failure/interruption.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { configured, type Git, pushFailureReason } from "../../git/git.ts";
import { branchName } from "../../git/refs.ts";
import type { Remote } from "../../git/remotes.ts";
import { conflictedFiles, inTempWorktree } from "../../git/temp-worktree.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { joinWords } from "../../text/words.ts";
import { headBranch, type PullContext, pullName } from "./pull.ts";
import { headChanged, refusal } from "./refusal.ts";
import { childrenOf, stackOf } from "./stack-chain.ts";

/** What is rebased after a merge. */
export interface Restack {
  /** The pull request that was merged, whose commits the base has in another form now. */
  readonly merged: PullRequest;
  /** The branch that it was merged into. */
  readonly base: string;
  readonly children: readonly PullRequest[];
  readonly open: readonly PullRequest[];
  /** Those that must not be left out, with the heads that they had when the merge was confirmed. */
  readonly needed: ReadonlyMap<number, string>;
  readonly remote: Remote;
}

type RestackContext = PullContext & Pick<BaseContext, "git" | "options">;

/** A branch with its new commit. */
interface Moved {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Rebases what is stacked on a merged pull request onto its base, and all above that, in a worktree of its own, and pushes
 * the branches at once, if nobody else has pushed to them. Local branches stay as they are. Returns the new heads by number.
 * What has the new commits already is left alone. Throws, and pushes nothing, if a needed one conflicts, or was pushed to.
 * With `--dry-run` nothing is pushed.
 */
export async function restack(of: Restack, context: RestackContext): Promise<Map<number, string>> {
  const { merged, base, children, open, needed, remote } = of;
  const { options, out, server } = context;
  const git = configured(context.git, await gitAuthConfig(server));
  const tracking = (branch: string) => `refs/remotes/${remote.name}/${branchName(branch)}`;
  const branches = [base, ...open.flatMap((one) => headBranch(one) ?? [])];
  const refspecs = branches.map((branch) => `+refs/heads/${branch}:${tracking(branch)}`);
  const pulled = `+refs/pull/${merged.number}/head:refs/tongs/pull/${merged.number}`;
  try {
    await git.run(["fetch", "--quiet", "--no-tags", "--end-of-options", remote.name, ...refspecs, pulled]);
  } finally {
    const remove = ["update-ref", "-d", `refs/tongs/pull/${merged.number}`];
    await git.attempt(remove, { cleansUp: true }).catch(() => undefined);
  }
  const onto = await git.run(["rev-parse", "--verify", "--end-of-options", tracking(base)]);
  const headOf = (branch: string) => git.run(["rev-parse", "--verify", "--end-of-options", tracking(branch)]);
  const heads = new Map<number, string>();
  const moved: Moved[] = [];
  let isPushing = false;
  const rebaseAll = async (there: Git) => {
    const walk = async (
      pulls: readonly PullRequest[],
      before: string,
      after: string,
      below: string | undefined,
    ): Promise<void> => {
      for (const listed of pulls) {
        const branch = headBranch(listed);
        // Git knows a push before the server's records do.
        const from = branch === undefined ? listed.head.sha : await headOf(branch);
        const pull = { ...listed, head: { ...listed.head, sha: from } };
        // One that was rebased before begins at a commit that the old branch did not have.
        const start = await git.attempt(["merge-base", after, from]);
        const isMoved = start.code === 0 && !(await isAncestor(git, start.stdout.trim(), before));
        if (isMoved) {
          for (const one of stackOf(pull, open)) {
            const name = headBranch(one);
            if (name !== undefined) heads.set(one.number, await headOf(name));
          }
          continue;
        }
        if (await isAncestor(git, before, after)) continue;
        if (branch === undefined) {
          out.warn(`${pullName(context, pull.number)} is from a fork: its author has to rebase it onto ${base}`);
          continue;
        }
        const known = needed.get(pull.number);
        if (known !== undefined && known !== from)
          throw refusal(pullName(context, pull.number), [headChanged(from, known)]);
        const cut = await forkPoint(git, { before, from, below: below === undefined ? undefined : tracking(below) });
        const place = { onto: `${remote.name}/${base}`, remote: remote.name };
        const to = await rebased({ pull, branch, before: cut, after, ...place }, there, context).catch(
          (error: unknown) => {
            if (needed.has(pull.number) || !(error instanceof Failure) || error.code !== "conflict") throw error;
            out.warn(error.message);
            return undefined;
          },
        );
        if (to === undefined) continue;
        moved.push({ branch, from, to });
        heads.set(pull.number, to);
        await walk(childrenOf(pull, open), from, to, branch);
      }
    };
    await walk(children, merged.head.sha, onto, headBranch(merged));
    isPushing = moved.length > 0 && !options.dryRun;
    if (isPushing) await pushAll(moved, remote, git);
  };
  try {
    await inTempWorktree(git, { options: ["--detach"], commit: onto }, rebaseAll);
  } catch (error) {
    if (error instanceof Interruption) {
      const pushed = isPushing
        ? "The rebased branches may have been pushed"
        : "The rebase was stopped, and nothing pushed";
      out.note(`${pushed}. Your clone and its branches are as they were.`);
    }
    throw error;
  }
  if (moved.length > 0) {
    const names = moved.map(({ branch }) => branch).join(", ");
    if (options.dryRun) out.note(`Dry run: would push ${names}, rebased`);
    else out.note(`Rebased and pushed ${names}. Branches of these names in your clones have the old commits.`);
  }
  return heads;
}

async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return (await git.attempt(["merge-base", "--is-ancestor", commit, of])).code === 0;
}

/**
 * Where the commits of a branch begin: after the commit of the branch below, or, if that was rewritten since, after the one that
 * it had when this was made, as far as the clone remembers it.
 */
async function forkPoint(
  git: Git,
  { before, from, below }: { readonly before: string; readonly from: string; readonly below: string | undefined },
): Promise<string> {
  if (below === undefined || (await isAncestor(git, before, from))) return before;
  const found = await git.attempt(["merge-base", "--fork-point", below, from]);
  return found.code === 0 && found.stdout.trim() !== "" ? found.stdout.trim() : before;
}

interface Step {
  readonly pull: PullRequest;
  readonly branch: string;
  /** The commits to leave out end here. */
  readonly before: string;
  readonly after: string;
  /** Where it goes, for the hint. */
  readonly onto: string;
  readonly remote: string;
}

/** Rebases the commits of a branch with a detached HEAD, and returns the new commit. */
async function rebased({ pull, branch, before, after, onto, remote }: Step, there: Git, context: RestackContext) {
  // Settings of the user must not move local branches, or open an editor.
  const config = { "rebase.updateRefs": "false", "rebase.autoStash": "false", "core.editor": "true" };
  await there.run(["checkout", "--quiet", "--detach", pull.head.sha]);
  const ran = await there.attempt(["rebase", "--quiet", "--onto", after, before], { config });
  if (ran.code === 0) return there.run(["rev-parse", "HEAD"]);
  const files = await conflictedFiles(there);
  await there.attempt(["rebase", "--abort"]);
  if (files.length === 0)
    throw new Failure("git", `git rebase failed: ${ran.stderr.trim().split("\n").slice(-3).join("\n")}`);
  // From what is on the server, and only over that: a local branch can be older, or have more.
  const lease = `--force-with-lease=${branch}:${pull.head.sha}`;
  const hint = [
    "Rebase it yourself, resolve the conflicts, push it, and run the same command again:",
    joinWords(["git", "switch", "--detach", pull.head.sha.slice(0, 10)]),
    joinWords(["git", "rebase", "--onto", onto, before.slice(0, 10)]),
    joinWords(["git", "push", lease, remote, `HEAD:${branch}`]),
  ].join("\n");
  const name = pullName(context, pull.number);
  throw new Failure("conflict", `${name} cannot be rebased: it conflicts in ${files.join(", ")}`, { hint });
}

/** Pushes all branches or none, and none that somebody else has pushed to. */
async function pushAll(moved: readonly Moved[], remote: Remote, git: Git): Promise<void> {
  const leases = moved.map(({ branch, from }) => `--force-with-lease=refs/heads/${branch}:${from}`);
  const refspecs = moved.map(({ branch, to }) => `${to}:refs/heads/${branch}`);
  const ran = await git.attempt([
    "push",
    "--quiet",
    "--atomic",
    ...leases,
    "--end-of-options",
    remote.name,
    ...refspecs,
  ]);
  if (ran.code === 0) return;
  const message = `Could not push ${moved.map(({ branch }) => branch).join(", ")}`;
  throw new Failure("git", message, { hint: pushFailureReason(ran) });
}
