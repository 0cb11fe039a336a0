import { Failure } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call, respond } from "../../forge/operation.ts";
import { failsToDelete, type PullRequest, pullGet, pullMerge, pullMergeCancel } from "../../forge/pulls.ts";
import { reviewList } from "../../forge/reviews.ts";
import { sentAt } from "../../forge/sent-at.ts";
import { currentUserGet } from "../../forge/users.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { commandOn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { once } from "../../system/concurrency.ts";
import { joinWords } from "../../text/words.ts";
import type { CheckRow } from "./check-rows.ts";
import { loadChecks } from "./load-checks.ts";
import {
  type Conflict,
  conflictError,
  explainConflict,
  explainNotAllowed,
  explainServerError,
  findConflict,
  type MergeRequest,
  shortList,
} from "./merge-errors.ts";
import { headBranch, headMissing, isAgit, type PullContext, pullName, refusedError, requireOpen } from "./pull.ts";
import { approvalsIn, type Branch, requiredContexts } from "./status-cells.ts";

/** How long to wait for the server to check whether the pull request is mergeable, in milliseconds. */
const maxWait = 15_000;
/**
 * Without a result from git: how long `mergeable` must stay false before files changed on both sides count as a
 * conflict.
 */
const settleTime = 3_000;
/** After this time without a push, the server is no longer checking. In milliseconds. */
const idleTime = 20_000;

/** The result of a merge request; `kept` is merged, with the server's reason why it could not delete the head branch. */
export type MergeOutcome = "merged" | { readonly kept: string } | "scheduled";

/**
 * Merges, and retries while the server checks whether the pull request is mergeable. The server also answers "try again
 * later" in two cases where waiting does not help (docs/server-differences.md, "Pull requests: mergeability"): those
 * fail at once.
 */
export async function attemptMerge(context: PullContext, request: MergeRequest): Promise<MergeOutcome> {
  const { http, repo, system, out } = context;
  const timer = retryTimer(context);
  for (;;) {
    const start = system.now().getTime();
    try {
      return (await call(http, pullMerge, { repo, index: request.number }, request.body)) === 201
        ? "scheduled"
        : "merged";
    } catch (error) {
      if (!isTryAgain(error, timer.waited() === 0)) return handleMergeError(context, request, error, start);
    }
    let pull = await call(http, pullGet, { repo, index: request.number });
    for (;;) {
      await throwIfUnmergeable(context, pull, timer);
      if (timer.waited() === 0) out.note(`The server is still checking ${pullName(context, request.number)}; retrying`);
      await timer.pause(system.signal);
      if (pull.mergeable) break;
      pull = await call(http, pullGet, { repo, index: request.number });
    }
  }
}

/** Forgejo's git can fail just after the base branch moved (docs/server-differences.md, "Pull requests: merging"). */
function isTryAgain(error: unknown, isFirst: boolean): boolean {
  if (!(error instanceof HttpError)) return false;
  if (error.status === 500) return isFirst && /exit status 128/.test(error.serverMessage);
  return error.status === 405 && /try again later/i.test(error.serverMessage);
}

/** Growing pauses between retries, and the conflict of each pair of commits, found once. */
interface RetryTimer {
  waited(): number;
  pause(signal: AbortSignal): Promise<void>;
  conflict(pull: PullRequest): Promise<Conflict>;
}

function retryTimer(context: PullContext): RetryTimer {
  const { system } = context;
  const start = system.now().getTime();
  let paused = 0;
  let next = 300;
  return {
    waited: () => (paused === 0 ? 0 : Math.max(paused, system.now().getTime() - start)),
    async pause(signal) {
      await system.sleep(next, signal);
      paused += next;
      next = Math.min(next * 1.5, 2_000);
    },
    conflict: once(
      (pull: PullRequest) => `${pull.base?.sha} ${pull.head?.sha}`,
      (pull) => findConflict(context, pull),
    ),
  };
}

/** Throws if waiting cannot help, or after the longest wait. */
async function throwIfUnmergeable(context: PullContext, pull: PullRequest, timer: RetryTimer): Promise<void> {
  const name = pullName(context, pull.number);
  requireOpen(pull, name);
  requireHead(pull, name);
  if (pull.head?.sha && pull.merge_base === pull.head.sha) {
    const hint = "Push commits to its head branch, or close it.";
    throw refusedError(
      "nothing_to_merge",
      `${name} has nothing to merge: ${pull.base?.ref} already contains its head`,
      { hint },
    );
  }
  if (!pull.mergeable) {
    const { certain, files } = await timer.conflict(pull);
    if (certain === "yes") throw conflictError({ name, number: pull.number }, files);
    const decided = timer.waited() >= settleTime || isIdle(pull, context.system.now());
    if (certain === "unknown" && files.length > 0 && decided) {
      const message = `${name} is not mergeable and appears to conflict with its base branch`;
      const hint = `Changed on both sides: ${shortList(files)}\nResolve the conflict locally and push: tongs pr checkout ${pull.number}`;
      throw refusedError("conflict", message, { hint });
    }
  }
  if (timer.waited() < maxWait) return;
  const message = `The server is still checking whether ${name} is mergeable`;
  throw refusedError("still_checking", message, { hint: `Gave up after ${maxWait / 1000} s. Try again later.` });
}

/** Throws if the head branch is gone, or its repository. */
export function requireHead(pull: PullRequest, name: string, cause?: unknown): void {
  const missing = headMissing(pull);
  if (missing === undefined) return;
  throw refusedError("head_missing", `${name} cannot be merged: ${missing.message}`, {
    hint: missing.clear,
    cause,
  });
}

function isIdle(pull: PullRequest, now: Date): boolean {
  const times = [pull.updated_at, pull.base?.repo?.updated_at, pull.head?.repo?.updated_at];
  const last = Math.max(...times.map((time) => (time == null ? 0 : Date.parse(time))));
  return now.getTime() - last > idleTime;
}

/** Explains an error; some mean that the merge succeeded. */
async function handleMergeError(
  context: PullContext,
  request: MergeRequest,
  error: unknown,
  start: number,
): Promise<MergeOutcome> {
  if (mayHaveActed(error)) return handleLostResponse(context, request, error, start);
  if (!(error instanceof HttpError)) throw error;
  if (error.status === 404) {
    requireOpen(
      await call(context.http, pullGet, { repo: context.repo, index: request.number }),
      pullName(context, request.number),
    );
    throw error;
  }
  if (error.status === 405) throw await explainNotAllowed(context, request, error);
  if (error.status === 409) throw await explainConflict(context, request, error);
  if (error.status !== 403 && error.status !== 500) throw error;
  const pull = await call(context.http, pullGet, { repo: context.repo, index: request.number }).catch(() => undefined);
  if (pull?.merged) {
    const wantsDeletion = request.body.delete_branch_after_merge === true;
    const isOfDeletion = wantsDeletion && (error.status === 403 || (await failsToDelete(context.http)));
    if (!isOfDeletion) throw mergedMeanwhile(pull, wantsDeletion, context, error);
    // One without a branch has none to delete.
    if (isAgit(pull)) return "merged";
    return { kept: error.serverMessage };
  }
  if (error.status === 500 && pull) requireHead(pull, pullName(context, request.number), error);
  throw (error.status === 500 && pull && (await explainServerError(context, request, pull, error))) || error;
}

/** The failure for a pull request that another request merged before this one came to it. */
function mergedMeanwhile(
  pull: PullRequest,
  wantsDeletion: boolean,
  { repo, server }: PullContext,
  cause: Failure,
): Failure {
  const by = pull.merged_by == null ? "" : ` by ${pull.merged_by.login}`;
  const as = pull.merge_commit_sha ? ` as ${pull.merge_commit_sha.slice(0, 10)}` : "";
  const branch = wantsDeletion ? headBranch(pull) : undefined;
  const command = branch && joinWords(["tongs", "branch", "delete", branch, "-R", fullName(repo)]);
  return refusedError(
    "already_merged",
    `Pull request ${fullName(repo)}#${pull.number} was merged meanwhile${by}${as}`,
    {
      hint: command && `Its branch is still there. Delete it: ${commandOn(server, command)}`,
      cause,
    },
  );
}

/** The response was lost: checks whether the merge happened, and never sends it twice. `start`: when it was sent. */
async function handleLostResponse(
  context: PullContext,
  { number, body }: MergeRequest,
  error: Failure,
  start: number,
): Promise<MergeOutcome> {
  const { http, repo, out, system } = context;
  const read = await respond(http, pullGet, { repo, index: number }).catch(() => undefined);
  if (!read?.value.merged) throw error;
  const pull = read.value;
  const now = system.now();
  const sent = sentAt(read.headers["date"] ?? now.toUTCString(), now.getTime() - start);
  // A manual merge has the time of its commit.
  const isEarlier = body.Do !== "manually-merged" && Date.parse(pull.merged_at ?? "") < sent;
  if (isEarlier) requireOpen(pull, pullName(context, number));
  if (!(await isByAccount(pull, context))) {
    throw mergedMeanwhile(pull, body.delete_branch_after_merge === true, context, error);
  }
  out.warn(`${error.message}; the pull request was merged anyway`);
  return "merged";
}

/** Whether the account merged it, also if that is not known. */
async function isByAccount({ merged_by }: PullRequest, { http, server }: PullContext): Promise<boolean> {
  if (merged_by == null || merged_by.login === server.user) return true;
  const account = await call(http, currentUserGet, {}).catch(() => undefined);
  const login = account?.login ?? server.user;
  return login === undefined || login === merged_by.login;
}

/**
 * Schedules the merge for when the checks that the base branch requires succeed, and the approvals are given: the servers wait for no others. Forgejo runs a scheduled merge only when a status is reported later,
 * and would wait forever if none is pending (docs/server-differences.md, "Pull requests: merging"): then the pull
 * request is merged at once, if the server allows it.
 */
export async function scheduleMerge(
  context: PullContext,
  request: MergeRequest,
  branch: Branch | undefined,
): Promise<MergeOutcome> {
  const { http, repo, out } = context;
  const scheduling = { ...request, body: { ...request.body, merge_when_checks_succeed: true } };
  const outcome = await attemptMerge(context, scheduling);
  if (outcome !== "scheduled") return outcome;
  const pull = await call(http, pullGet, { repo, index: request.number });
  if (pull.merged) return "merged";
  const contexts = requiredContexts(branch);
  const { rows } = await loadChecks(pull, contexts, context);
  // Where none is named, every reported one is required, and there must be one.
  const isAwaited = (row: CheckRow) => row.required || (branch?.enable_status_check !== false && contexts.length === 0);
  const listed = (found: readonly CheckRow[]) => found.map(({ context: check, state }) => `${check} (${state})`);
  const open = rows.filter(({ verdict }) => verdict !== "passed");
  const others = listed(open.filter((row) => !isAwaited(row)));
  out.note(
    `The server does not wait for checks that are not required${others.length > 0 ? `: ${shortList(others)}` : ""}`,
  );
  const hasNone = rows.length === 0 && branch?.enable_status_check === true;
  const waiting = hasNone ? ["a first check"] : listed(open.filter(isAwaited));
  const required = branch?.required_approvals ?? 0;
  const given =
    required === 0 ? 0 : approvalsIn(await collect(call(http, reviewList, { repo, index: request.number })));
  if (given < required) waiting.push(`approvals (${given} of ${required})`);
  if (waiting.length > 0) {
    out.note(`Waiting for: ${shortList(waiting)}`);
    return "scheduled";
  }
  try {
    await call(http, pullMerge, { repo, index: request.number }, request.body);
    out.note("No checks are pending, so it was merged now.");
    return "merged";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The scheduled merge may have run in the meantime.
    if ((await call(http, pullGet, { repo, index: request.number })).merged) return "merged";
    out.note(`Waiting for: ${error.serverMessage || error.message}`);
    return "scheduled";
  }
}

/** Cancels a scheduled merge. Throws if none is scheduled. */
export async function cancelScheduledMerge(context: PullContext, number: number): Promise<void> {
  const { http, repo } = context;
  const name = pullName(context, number);
  try {
    await call(http, pullMergeCancel, { repo, index: number });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // 404 means no scheduled merge or no pull request; the second fails here again.
    const pull = await call(http, pullGet, { repo, index: number });
    if (pull.merged) throw refusedError("already_merged", `Pull request ${name} is already merged`, { cause: error });
    throw new Failure("not_scheduled", `No automatic merge is scheduled for ${name}`, { cause: error });
  }
}
