import { compareCommits } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullFileList, pullGet } from "../../forge/pulls.ts";
import { unlessHttpError } from "../../http/errors.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { headBranch, headMissing, isDraft, type PullContext } from "./pull.ts";

/** What is known about a pull request's mergeability, apart from the rules of the base branch. */
export interface Mergeability extends Conflict {
  readonly pull: PullRequest;
  readonly state: "clean" | "conflict" | "checking" | "unknown";
  /** How long it waited, in milliseconds. */
  readonly waited: number;
}

/** After a push the server keeps the old result for this long, in milliseconds. */
const staleTime = 3_000;
/** How long to wait for the server to decide, in milliseconds. */
const maxWait = 8_000;
/** After this time without a push, the server is no longer checking. In milliseconds. */
const idleTime = 20_000;

const none: Conflict = { certain: "no", files: [] };
const unknown: Conflict = { certain: "unknown", files: [] };

/**
 * Waits until the server has decided whether a pull request conflicts with its base branch, at most 8 seconds, or `patience` in
 * milliseconds, or until it is not open. What `mergeable` says right after a push is not trusted (docs/server-differences.md,
 * "Pull requests: mergeability").
 */
export async function settledMergeability(
  context: PullContext,
  first: PullRequest,
  { patience = maxWait, onWait }: { readonly patience?: number | undefined; readonly onWait?: () => void } = {},
): Promise<Mergeability> {
  const { http, repo, system } = context;
  let pull = first;
  let waited = 0;
  let pause = 500;
  for (;;) {
    const is = (state: Mergeability["state"], conflict = none) => ({ pull, state, ...conflict, waited });
    if (pull.merged || pull.state === "closed") return is("clean");
    // `mergeable` is false for every draft, and means nothing without a head: only git can tell.
    const isToldByGit = isDraft(pull) || headMissing(pull, context) !== undefined;
    const age = system.now().getTime() - lastPush(pull);
    const isSettled = waited >= staleTime || age > staleTime || age < 0;
    if (!isToldByGit && pull.mergeable && isSettled) return is("clean");
    if (isToldByGit || !pull.mergeable) {
      const conflict = await findConflict(context, pull);
      const seems = conflict.certain === "unknown" && conflict.files.length > 0;
      if (conflict.certain === "yes") return is("conflict", conflict);
      if (isToldByGit) return is(seems ? "unknown" : "clean", conflict);
      if (seems && (waited >= staleTime || age > idleTime)) return is("conflict", conflict);
      const isStuck = conflict.certain === "unknown" && age > idleTime && pull.merge_base !== pull.base.sha;
      if (waited >= patience && isStuck) return is("conflict", unknown);
    }
    if (waited >= patience) return is("checking", unknown);
    if (waited === 0) onWait?.();
    await system.sleep(pause, system.signal);
    waited += pause;
    pause = Math.min(pause * 1.5, 2_000);
    pull = await call(http, pullGet, { repo, index: pull.number });
  }
}

/** The time of the last change of the pull request or its repositories. */
function lastPush(pull: PullRequest): number {
  const times = [pull.updated_at, pull.base.repo?.updated_at, pull.head.repo?.updated_at];
  return Math.max(...times.map((time) => (time == null ? 0 : Date.parse(time))));
}

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
  const files = await unlessHttpError(changedOnBothSides(context, pull));
  return { certain: "unknown", files: files ?? [] };
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
