import { runAtPage } from "../../app/runs/find.ts";
import { jobsOf } from "../../app/runs/find-job.ts";
import { failureOf } from "../../app/runs/job-failure.ts";
import { Failure } from "../../failure/failure.ts";
import { type CommitStatus, latestStatusList } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { readJob } from "../../forge/read-job.ts";
import { shownName } from "../../output/cells.ts";
import { commandIn } from "../../profiles/server.ts";
import { absoluteUrl, type CheckRow, checkRows, type Verdict } from "./check-rows.ts";
import { asCounted } from "./load-checks.ts";
import type { PullContext } from "./pull.ts";
import { shortList } from "./refusal.ts";
import { type BlockingCheck, type Reason, type Rules, reason } from "./why-shape.ts";

/**
 * Reasons from required checks. Where no check is named, every reported one is required, and there must be one.
 */
export async function checkReasons(
  context: PullContext,
  pull: PullRequest,
  { branch }: Rules,
  known?: Promise<readonly CommitStatus[]>,
): Promise<Reason[]> {
  if (!branch.enable_status_check) return [];
  const { http, repo } = context;
  const contexts = branch.status_check_contexts ?? [];
  const statuses = await (known ?? collect(call(http, latestStatusList, { repo, ref: pull.head.sha })));
  const awaited = checkRows(statuses, contexts).filter(({ required }) => required || contexts.length === 0);
  const required = awaited.map((row) => ({ ...row, required: true }));
  const rows = await asCounted(required, context);
  const found: Reason[] = [];

  const reported = (verdict: Verdict) => rows.filter((row) => row.status !== undefined && row.verdict === verdict);
  const failed = reported("failed");
  if (failed.length > 0) {
    const checks = await Promise.all(failed.map((row) => explainCheck(context, row)));
    const message = `Required checks failed: ${names(failed)}`;
    const clear = `Fix what they report and push, or rerun them: ${commandIn(context, `tongs pr checks ${pull.number}`)}`;
    found.push(reason("checks_failed", message, clear, { checks }));
  }
  const pending = reported("pending");
  if (pending.length > 0) {
    const checks = pending.map((row) => plainCheck(context, row));
    const clear = `Wait for them: ${commandIn(context, `tongs pr checks ${pull.number} --watch`)}`;
    found.push(reason("checks_pending", `Required checks are pending: ${names(pending)}`, clear, { checks }));
  }
  const missing = rows.filter(({ status }) => status === undefined);
  if (missing.length > 0) {
    const checks = missing.map((row) => plainCheck(context, row));
    const message = `Required checks were not reported: ${names(missing)}`;
    const clear = "Start the jobs that report them, or change the required checks";
    found.push(reason("checks_missing", message, clear, { checks }));
  } else if (contexts.length === 0 && rows.length === 0) {
    const clear = "Start the jobs that report the checks, or change the required checks";
    found.push(reason("checks_missing", "No checks were reported, but the base branch requires them", clear));
  }
  return found;
}

function names(rows: readonly CheckRow[]): string {
  return shortList(rows.map(({ context }) => shownName(context)));
}

function plainCheck({ server }: PullContext, { context, state, status }: CheckRow): BlockingCheck {
  return { context, state, url: absoluteUrl(status?.target_url ?? "", server.base) || null, run_id: null, lines: [] };
}

/** A failed check with the lines of its job's log that explain it, if a run of this server reported it. */
async function explainCheck(context: PullContext, row: CheckRow): Promise<BlockingCheck> {
  const { repo } = context;
  const plain = plainCheck(context, row);
  const url = plain.url ?? "";
  const [page, run, place] = /\/actions\/runs\/(\d+)\/jobs\/(\d+)$/.exec(url) ?? [];
  if (page === undefined || !url.includes(`/${repo.owner}/${repo.name}/actions/`)) return plain;
  try {
    // The page has the ID of the run or, on older servers, its number (docs/server-differences.md, "Commit statuses").
    const found = await runAtPage(Number(run), context);
    const jobs = await jobsOf(found, context);
    // A job without an address is the one at this place in the run (docs/server-differences.md, "Commit statuses").
    const job =
      jobs.find((one) => readJob(one).url?.endsWith(page)) ??
      jobs.find((one, at) => readJob(one).url === undefined && at === Number(place));
    if (job === undefined || readJob(job).state !== "failure") return plain;
    const { lines } = await failureOf(job, context);
    return { ...plain, run_id: found.id, lines };
  } catch (error) {
    // The check is reported without its log, if the run was deleted or the server has no such operation.
    if (error instanceof Failure) return plain;
    throw error;
  }
}
