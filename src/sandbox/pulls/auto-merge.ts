import { Refusal } from "../http/refusal.ts";
import type { Site } from "../site.ts";
import { openPulls, type PullRecord, pullAt } from "../state/pulls.ts";
import { judgeMerge } from "./judge.ts";
import { checkNow } from "./mergeability.ts";
import { deleteHead, mergePull } from "./merging.ts";

/** A while after something that a scheduled merge may have waited for: merges, if all is well now. */
export function mergeSoon(site: Site, { repoId, index, pull }: PullRecord): void {
  if (pull.schedule === null) return;
  site.later(site.delays.autoMerge, () => site.store.write(() => mergeScheduled(site, repoId, index)));
}

/** Takes up the schedules that the last run left. */
export function resumeSchedules(site: Site): void {
  for (const pull of openPulls(site.store)) mergeSoon(site, pull);
}

async function mergeScheduled(site: Site, repoId: number, index: number): Promise<void> {
  const known = pullAt(site.store, repoId, index);
  if (known === undefined || known.state === "closed" || known.pull.schedule === null) return;
  const { byId, style, message, deleteBranch } = known.pull.schedule;
  const doer = site.store.table("users").get(byId);
  if (doer === undefined) return;
  try {
    const pull = await checkNow(site, known);
    await judgeMerge(site, pull, doer, { style, force: false, later: false });
    const merged = await mergePull(site, pull, doer, { style, message });
    if (deleteBranch) await deleteHead(site, merged, doer);
  } catch (error) {
    // Not yet: the next status or review tries again.
    if (!(error instanceof Refusal)) throw error;
    site.log(`scheduled merge of ${repoId}/${index}: ${error.message}`);
  }
}
