import { boolean, type Infer, integer, serverRecord, string } from "../shape/shape.ts";
import { asName } from "./applied.ts";
import { operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { cannot } from "./undo.ts";

/** The result of a fork sync: `up-to-date`, `fast-forward` or `merge`. */
export const syncResult = serverRecord("the result of a fork sync", { merge_type: string });

export type SyncResult = Infer<typeof syncResult>;

/** How a fork's branch differs from its parent, on Forgejo. `commits_behind` is 0 if it is not allowed. */
const syncInfo = serverRecord(
  "the state of a fork",
  { allowed: boolean, fork_commit: string, base_commit: string },
  { commits_behind: integer },
);

export const forkList = operation("GET", "/repos/{owner}/{repo}/forks", { answers: pagesOf(repository) });

const how = "how it is merged; the answer has the result";

/** 202 with the fork; 409 if the owner has one already. */
export const forkCreate = operation("POST", "/repos/{owner}/{repo}/forks", {
  answers: repository,
  applied: { reads: { organization: asName(({ owner }) => owner?.login) } },
});

/** Merges the parent's branch of the same name into a branch of the fork. Gitea 1.24 merges also with `ff_only`. */
export const upstreamMerge = operation("POST", "/repos/{owner}/{repo}/merge-upstream", {
  answers: syncResult,
  strict: ["ff_only"],
  undo: cannot.commit,
  applied: { except: { branch: how, ff_only: how } },
});

/** Whether a branch of the fork can be synced. */
export const forkSyncGet = operation("GET", "/repos/{owner}/{repo}/sync_fork/{branch}", { answers: syncInfo });

/** Fast-forwards a branch of the fork. */
export const forkSync = operation("POST", "/repos/{owner}/{repo}/sync_fork/{branch}", { undo: cannot.commit });
