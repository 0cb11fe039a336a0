import { Failure } from "../../failure/failure.ts";
import { everything } from "../../forge/names.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { listed } from "./conflicts.ts";
import { attemptMerge, type Outcome } from "./merge-attempt.ts";
import type { MergeTry } from "./merge-refusals.ts";
import { type PullContext, pullName, refused } from "./subject.ts";

/**
 * Schedules the merge for when the checks succeed. Forgejo sets a schedule going only when something is reported
 * afterwards, and for ever waits where nothing is pending (api-facts 0.1 row 4): then it is merged at once, if the
 * server lets it.
 */
export async function scheduleMerge(context: PullContext, tried: MergeTry): Promise<Outcome> {
  const { forge, repo, out } = context;
  const scheduling = { ...tried, body: { ...tried.body, merge_when_checks_succeed: true } };
  if ((await attemptMerge(context, scheduling)) === "merged") return "merged";
  const pull = await forge.pulls.get(repo, tried.number);
  if (pull.merged) return "merged";
  const statuses = await everything(forge.statuses.latest(repo, pull.head?.sha ?? ""));
  const waitsFor = statuses.filter(({ status }) => ["pending", "failure", "error"].includes(status));
  if (waitsFor.length > 0) {
    out.note(`It waits for: ${listed(waitsFor.map(({ context: check, status }) => `${check} (${status})`))}`);
    return "scheduled";
  }
  try {
    await forge.pulls.merge(repo, tried.number, tried.body);
    out.note("No check is pending, so it was merged at once.");
    return "merged";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The schedule may have gone off meanwhile.
    if ((await forge.pulls.get(repo, tried.number)).merged) return "merged";
    out.note(`It waits for: ${error.serverMessage || error.message}`);
    return "scheduled";
  }
}

/** Takes a schedule back. */
export async function cancelScheduledMerge(context: PullContext, number: number): Promise<void> {
  const { forge, repo } = context;
  const name = pullName(context, number);
  try {
    await forge.pulls.cancelAutoMerge(repo, number);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // No schedule and no pull request are the same answer; only the second stays missing when it is asked for.
    const pull = await forge.pulls.get(repo, number);
    if (pull.merged) throw refused("already_merged", `${name} is merged already`, undefined, error);
    throw new Failure("not_scheduled", "notFound", `No merge of ${name} is scheduled`, { cause: error });
  }
}
