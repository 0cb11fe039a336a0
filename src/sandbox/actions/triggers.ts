import { commitOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { headRef } from "../pulls/heads.ts";
import { baseRepoOf } from "../pulls/mergeability.ts";
import type { RefsChanged, Site } from "../site.ts";
import { disabledKey } from "../state/actions.ts";
import { openPullsFrom, type PullRecord, pullAt } from "../state/pulls.ts";
import type { RepoRecord } from "../state/repos.ts";
import type { UserRecord } from "../state/users.ts";
import { startRun } from "./runs.ts";
import { type PullAction, startsOnPull, startsOnPush, type WorkflowFile, workflowsAt } from "./workflow-file.ts";

/** After a push: a run of each workflow of the pushed commit that asks for it, and of the pull requests of a branch. */
export async function startPushed(site: Site, { repo, doer, changes }: RefsChanged): Promise<void> {
  for (const { ref, to } of changes) {
    const sha = to === undefined ? undefined : await commitOf(site, repo, to);
    if (sha === undefined) continue;
    for (const file of await enabled(site, repo, sha)) {
      if (startsOnPush(file, ref)) await startRun(site, repo, doer, file, { event: "push", ref, sha });
    }
    if (!ref.startsWith("refs/heads/")) continue;
    for (const { repoId, index } of openPullsFrom(site.store, repo.id, ref.slice("refs/heads/".length))) {
      const pull = pullAt(site.store, repoId, index);
      if (pull !== undefined) await startProposed(site, pull, doer, "synchronize");
    }
  }
}

/** After something happened to a pull request: a run of each workflow of its head that asks for it. */
export async function startProposed(site: Site, pull: PullRecord, doer: UserRecord, action: PullAction): Promise<void> {
  const repo = baseRepoOf(site, pull);
  const { base, head, headSha: sha } = pull.pull;
  const needsApproval = !isTrusted(site, repo, pull, doer);
  for (const file of await enabled(site, repo, sha)) {
    if (!startsOnPull(file, action, base)) continue;
    const about = { index: pull.index, head, base };
    const ref = headRef(pull.index);
    await startRun(site, repo, doer, file, { event: "pull_request", ref, sha, pull: about, needsApproval });
  }
}

/** The workflows of a commit that may run. */
async function enabled(site: Site, repo: RepoRecord, sha: string): Promise<WorkflowFile[]> {
  if (!repo.units.has_actions) return [];
  const files = await workflowsAt(site, repo, sha);
  return files.filter(
    ({ file }) => site.store.table("disabledWorkflows").get(disabledKey(repo.id, file)) === undefined,
  );
}

/** A branch of the repository itself, somebody who may write, or somebody of whom a run was approved before. */
function isTrusted(site: Site, repo: RepoRecord, { pull }: PullRecord, doer: UserRecord): boolean {
  if (pull.headRepoId === repo.id || accessTo(site, doer, repo).atLeast("write", "actions")) return true;
  const runs = site.store.table("runs");
  return (
    runs.find((run) => run.repoId === repo.id && run.approvedBy !== 0 && run.starters[0] === doer.id) !== undefined
  );
}
