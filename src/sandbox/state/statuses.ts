import type { Store } from "./store.ts";

/** What a check said of a commit. The key is `repoId/sha/number`. */
export interface StatusRecord {
  readonly repoId: number;
  readonly sha: string;
  /** Counts from 1 for each commit: what the API gives as `id`. */
  readonly number: number;
  /** Any text: the servers do not look at it when it arrives. */
  readonly status: string;
  readonly context: string;
  readonly target_url: string;
  readonly description: string;
  /** Nobody for what runs say. */
  readonly creatorId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Statuses of a commit that were sent, oldest first. */
export function storedStatuses(store: Store, repoId: number, sha: string): StatusRecord[] {
  return store.table("statuses").filter((status) => status.repoId === repoId && status.sha === sha);
}

/** The latest of each context, oldest first. */
export function latestOf(statuses: readonly StatusRecord[]): StatusRecord[] {
  const byContext = new Map<string, StatusRecord>();
  for (const status of statuses) {
    byContext.delete(status.context);
    byContext.set(status.context, status);
  }
  return [...byContext.values()];
}

/** One word for several: failure when any is failure, error or warning; else pending when any is not done. */
export function combined(statuses: readonly Pick<StatusRecord, "status">[]): "failure" | "pending" | "success" {
  if (statuses.some(({ status }) => ["failure", "error", "warning"].includes(status))) return "failure";
  const isDone = statuses.length > 0 && statuses.every(({ status }) => ["success", "skipped"].includes(status));
  return isDone ? "success" : "pending";
}

export function newStatus(
  store: Store,
  now: string,
  given: Partial<StatusRecord> & Pick<StatusRecord, "repoId" | "sha" | "status" | "creatorId">,
): StatusRecord {
  const number = storedStatuses(store, given.repoId, given.sha).length + 1;
  return store.table("statuses").put(`${given.repoId}/${given.sha}/${number}`, {
    number,
    context: "",
    target_url: "",
    description: "",
    created_at: now,
    updated_at: now,
    ...given,
  });
}
