import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet } from "../../forge/pulls.ts";
import { type Conflict, findConflict } from "./conflict.ts";
import { headMissing, isDraft, type PullContext } from "./pull.ts";

/** What is known about a pull request's mergeability, apart from the rules of the base branch. */
export interface Mergeability {
  readonly pull: PullRequest;
  readonly state: "clean" | "conflict" | "checking" | "unknown";
  /** The conflicting files, or unless they are certain those changed on both sides, as far as they are known. */
  readonly files: readonly string[];
  readonly certain: Conflict["certain"];
  /** How long it waited, in milliseconds. */
  readonly waited: number;
}

/** After a push the server keeps the old result for this long, in milliseconds. */
const staleTime = 3_000;
/** How long to wait for the server to decide, in milliseconds. */
const maxWait = 8_000;
/** After this time without a push, the server is no longer checking. In milliseconds. */
const idleTime = 20_000;

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
    if (pull.merged || pull.state === "closed") return { pull, state: "clean", files: [], certain: "no", waited };
    // `mergeable` is false for every draft, and means nothing without a head: only git can tell.
    if (isDraft(pull) || headMissing(pull) !== undefined) {
      const { certain, files } = await findConflict(context, pull);
      if (certain === "yes") return { pull, state: "conflict", files, certain, waited };
      return { pull, state: certain === "unknown" && files.length > 0 ? "unknown" : "clean", files, certain, waited };
    }
    const age = system.now().getTime() - lastPush(pull);
    const isSettled = waited >= staleTime || age > staleTime || age < 0;
    if (pull.mergeable && isSettled) return { pull, state: "clean", files: [], certain: "no", waited };
    if (!pull.mergeable) {
      const { certain, files } = await findConflict(context, pull);
      if (certain === "yes") return { pull, state: "conflict", files, certain, waited };
      const hasDecided = waited >= staleTime || age > idleTime;
      if (certain === "unknown" && files.length > 0 && hasDecided)
        return { pull, state: "conflict", files, certain, waited };
      if (waited >= patience) {
        const isStuck = certain === "unknown" && age > idleTime && pull.merge_base !== pull.base.sha;
        return { pull, state: isStuck ? "conflict" : "checking", files: [], certain: "unknown", waited };
      }
    }
    if (waited >= patience) return { pull, state: "checking", files: [], certain: "unknown", waited };
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
