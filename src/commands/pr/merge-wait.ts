import type { BaseContext } from "../../app/context.ts";
import { timeLimited } from "../../app/time-limit.ts";
import { Failure } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet } from "../../forge/pulls.ts";
import { commandIn } from "../../profiles/server.ts";
import { type CheckRow, overall } from "./check-rows.ts";
import { firstCheckPatience, loadChecks, patience, withoutOwn } from "./load-checks.ts";
import { type PullContext, pullName, requireOpen } from "./pull.ts";
import { headChanged, refusal, shortList } from "./refusal.ts";
import { baseBranch, requiredContexts } from "./status-cells.ts";
import { watchChecks } from "./watch-checks.ts";

/** How long to wait for the checks by default, in seconds. */
export const defaultWait = 3600;

/**
 * Waits until all checks of the head have succeeded, required or not, at most `limit` seconds (0: without one). The check of the
 * job that this runs in is not awaited; if it is the only one, another one may be reported for a minute. Throws if one fails, if
 * there is none, and if the head or the base changes.
 */
export async function waitForChecks(
  unlimited: PullContext & Pick<BaseContext, "out">,
  pull: PullRequest,
  limit: number,
): Promise<void> {
  const name = pullName(unlimited, pull.number);
  const pending = (which: string) =>
    new Failure("checks_pending", `${name} was not merged: ${which} after ${limit} s`, {
      hint: "To wait longer, pass --wait-limit SECONDS.",
    });
  const context = { ...unlimited, http: timeLimited(unlimited.http, limit, pending("checks are pending")) };
  const { http, repo } = context;
  const branch = await baseBranch(pull, context);
  let isOnlyOwn = false;
  const poll = async (current?: PullRequest) => {
    const now = current ?? (await call(http, pullGet, { repo, index: pull.number }));
    requireOpen(now, context);
    if (now.head.sha !== pull.head.sha) throw refusal(name, [headChanged(now.head.sha, pull.head.sha)]);
    if (now.base.ref !== pull.base.ref) {
      const message = `Its base is ${now.base.ref} now, not ${pull.base.ref}`;
      throw refusal(name, [{ code: "base_changed", message, clear: "To merge it there, run the same command again" }]);
    }
    const checks = await loadChecks(now, requiredContexts(branch), context);
    const others = withoutOwn(checks, context);
    isOnlyOwn = others.rows.length === 0 && checks.rows.length > 0;
    return others;
  };
  const most = limit === 0 ? Number.POSITIVE_INFINITY : limit * 1000;
  let hasMoreTime = true;
  const patienceOf = async (sha: string) => {
    // The head has the workflow of this job itself.
    const first = isOnlyOwn
      ? patience.unexpected
      : await firstCheckPatience(branch?.enable_status_check === true, sha, pull, context);
    hasMoreTime = first >= most;
    return Math.min(first, most);
  };
  const isDone = (rows: readonly CheckRow[]) => rows.length > 0 && overall(rows) !== "pending";
  const watched = { poll: () => poll(), patience: patienceOf, isDone, limit: most };
  const flags = { failFast: true, interval: undefined, asNotes: true };
  const { rows, sha, unapproved } = await watchChecks(await poll(pull), watched, flags, context);
  const of = (verdict: CheckRow["verdict"]) =>
    shortList(rows.flatMap((row) => (row.verdict === verdict ? row.context : [])));
  const isOver = isDone(rows) || (isOnlyOwn && !hasMoreTime);
  if (overall(rows) === "failed")
    throw new Failure("checks_failed", `${name} was not merged: ${of("failed")} failed`, {
      hint: `View the checks: ${commandIn(context, `tongs pr checks ${pull.number}`)}`,
    });
  if (unapproved !== undefined && !isOver)
    throw new Failure("checks_pending", `${name} was not merged`, { hint: unapproved });
  if (rows.length === 0 && !isOver && !hasMoreTime)
    throw new Failure("no_checks", `${name} was not merged: no checks were reported on ${sha.slice(0, 10)}`, {
      hint: "To merge without any, omit --wait and --auto.",
    });
  if (!isOver) throw pending(rows.length === 0 ? "no check was reported" : `${of("pending")} is pending`);
}

/** Asks whether to wait here, where the server would wait for nothing. Throws if nobody can be asked, or the answer is no. */
export async function offersWait(
  context: PullContext & Pick<BaseContext, "options" | "prompt">,
  base: string,
  number: number,
): Promise<true> {
  const { prompt, options } = context;
  const nothing = `${base} requires no checks, so the server would not wait for any`;
  if (!prompt.able || options.yes || options.dryRun) {
    const line = commandIn(context, `tongs pr merge ${number} --wait`);
    const hint = `Wait here for all of them: ${line}   (or merge now: omit --auto)`;
    throw new Failure("no_checks", nothing, { hint });
  }
  const message = `${nothing}. Wait here until all checks of #${number} succeed?`;
  if (!(await prompt.confirm({ message, flag: "--wait", default: true }))) throw new Cancelled();
  return true;
}
