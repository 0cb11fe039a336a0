import { Failure, unlessFailed } from "../../failure/failure.ts";
import { call, respond } from "../../forge/operation.ts";
import { failsToDelete, type PullRequest, pullGet, pullMerge, pullMergeCancel } from "../../forge/pulls.ts";
import { sentAt } from "../../forge/sent-at.ts";
import { currentUserGet } from "../../forge/users.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { loadChecks } from "./load-checks.ts";
import type { MergeRequest } from "./merge-errors.ts";
import { isAgit, mergedHow, type PullContext, pullName, requireOpen } from "./pull.ts";
import { refusal, shortList } from "./refusal.ts";
import { type Branch, requiredContexts } from "./status-cells.ts";

/** How long to wait for the server to check whether the pull request is mergeable, in milliseconds. */
const maxWait = 15_000;
/** The pause before it is asked again, in milliseconds. */
const retryPause = 500;

/** The result of a merge request; `kept` is merged, with the server's reason why it could not delete the head branch. */
export type MergeOutcome = "merged" | { readonly kept: string } | "scheduled" | "already scheduled";

/**
 * Merges, and retries while the server checks whether the pull request is mergeable. The server also answers "try again
 * later" in two cases where waiting does not help (docs/server-differences.md, "Pull requests: mergeability"): those
 * fail at once.
 */
export async function attemptMerge(context: PullContext, request: MergeRequest): Promise<MergeOutcome> {
  const { http, repo, system, out } = context;
  const name = pullName(context, request.number);
  const send = () => call(http, pullMerge, { repo, index: request.number }, request.body);
  for (let waited = 0; ; ) {
    const start = system.now().getTime();
    let error: unknown;
    try {
      return (await send()) === 201 ? "scheduled" : "merged";
    } catch (refused) {
      error = refused;
    }
    if (!isTryAgain(error, waited === 0)) return handleMergeError(context, request, error, start);
    const [{ settledMergeability }, { explainRefusal }, { stateReasons }] = await Promise.all([
      import("./why-mergeability.ts"),
      import("./merge-errors.ts"),
      import("./why-reasons.ts"),
    ]);
    const pull = await call(http, pullGet, { repo, index: request.number });
    const onWait = () => {
      if (waited === 0) out.note(`The server is still checking ${name}; retrying`);
    };
    const settled = await settledMergeability(context, pull, { patience: maxWait - waited, onWait });
    if ([...stateReasons(settled, context)].length > 0)
      throw await explainRefusal(context, request, { pull: settled.pull, error, settled });
    if (settled.state === "checking" || waited + settled.waited >= maxWait) {
      const message = `The server is still checking whether ${name} is mergeable`;
      throw new Failure("still_checking", message, { hint: `Gave up after ${maxWait / 1000} s. Try again later.` });
    }
    if (settled.waited === 0) {
      onWait();
      await system.sleep(retryPause, system.signal);
    }
    waited += settled.waited || retryPause;
  }
}

/** Forgejo's git can fail just after the base branch moved (docs/server-differences.md, "Pull requests: merging"). */
function isTryAgain(error: unknown, isFirst: boolean): error is HttpError {
  if (!(error instanceof HttpError)) return false;
  if (error.status === 500) return isFirst && /exit status 128/.test(error.serverMessage);
  return error.status === 405 && /try again later/i.test(error.serverMessage);
}

/** Explains an error; some mean that the merge succeeded. */
async function handleMergeError(
  context: PullContext,
  request: MergeRequest,
  error: unknown,
  start: number,
): Promise<MergeOutcome> {
  if (mayHaveActed(error)) return handleLostResponse(context, request, error, start);
  if (!(error instanceof HttpError) || ![403, 404, 405, 409, 500].includes(error.exchange.status)) throw error;
  if (error.status === 409 && /already scheduled/.test(error.serverMessage)) return "already scheduled";
  const { explainRefusal, reportedReason } = await import("./merge-errors.ts");
  const name = pullName(context, request.number);
  const reported = error.status === 409 ? reportedReason(context, request, error) : undefined;
  if (reported !== undefined) throw refusal(name, [reported], { cause: error });
  const pull = await unlessFailed(call(context.http, pullGet, { repo: context.repo, index: request.number }));
  if (pull === undefined) throw error;
  if (pull.merged && (error.status === 403 || error.status === 500)) {
    const wantsDeletion = request.body.delete_branch_after_merge === true;
    const isOfDeletion = wantsDeletion && (error.status === 403 || (await failsToDelete(context.http)));
    if (!isOfDeletion) throw mergedMeanwhile(pull, context, error);
    // One without a branch has none to delete.
    return isAgit(pull) ? "merged" : { kept: error.serverMessage };
  }
  requireOpen(pull, context);
  if (error.status === 403 || error.status === 404) throw error;
  throw await explainRefusal(context, request, { pull, error });
}

/** The failure for a pull request that another request merged before this one came to it. */
function mergedMeanwhile(pull: PullRequest, context: PullContext, cause: Failure): Failure {
  const message = `Pull request ${pullName(context, pull.number)} was merged meanwhile${mergedHow(pull)}`;
  return new Failure("already_merged", message, { cause });
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
  if (isEarlier) requireOpen(pull, context);
  if (!(await isByAccount(pull, context))) throw mergedMeanwhile(pull, context, error);
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
 * Schedules the merge for when the checks that the base branch requires succeed, and the approvals are given: the servers wait for
 * no others. Forgejo runs a scheduled merge only when a status is reported later, and would wait forever if none is pending
 * (docs/server-differences.md, "Pull requests: merging"): where `pr why` finds no reason, the pull request is merged at once, if
 * the server allows it. So it is for one that is scheduled already: a run that was interrupted may have left it.
 */
export async function scheduleMerge(
  context: PullContext,
  request: MergeRequest,
  branch: Branch | undefined,
): Promise<MergeOutcome> {
  const { http, repo, out } = context;
  const body = { ...request.body, merge_when_checks_succeed: true };
  const outcome = await attemptMerge(context, { ...request, body });
  if (outcome !== "scheduled" && outcome !== "already scheduled") return outcome;
  const pull = await call(http, pullGet, { repo, index: request.number });
  if (pull.merged) return "merged";
  const { explainPull } = await import("./why-reasons.ts");
  const contexts = requiredContexts(branch);
  const [{ reasons }, { rows }] = await Promise.all([
    explainPull(context, pull, { patience: 0 }),
    loadChecks(pull, contexts, context),
  ]);
  // Where checks are required and none is named, every reported one is.
  const isAny = contexts.length === 0 && branch?.enable_status_check !== false;
  const others = rows.filter(({ required, verdict }) => !isAny && !required && verdict !== "passed");
  const listed = others.map(({ context: check, state }) => `${check} (${state})`);
  if (listed.length > 0) out.note(`The server does not wait for checks that are not required: ${shortList(listed)}`);
  if (reasons.length > 0) {
    out.note(`Not merged yet: ${reasons.map(({ message }) => message).join("; ")}`);
    return outcome;
  }
  try {
    await call(http, pullMerge, { repo, index: request.number }, request.body);
    out.note("No checks are pending, so it was merged now.");
    return "merged";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The scheduled merge may have run in the meantime.
    if ((await call(http, pullGet, { repo, index: request.number })).merged) return "merged";
    out.note(`Not merged yet: ${error.serverMessage || error.message}`);
    return outcome;
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
    if (pull.merged) throw new Failure("already_merged", `Pull request ${name} is already merged`, { cause: error });
    throw new Failure("not_scheduled", `No automatic merge is scheduled for ${name}`, { cause: error });
  }
}
