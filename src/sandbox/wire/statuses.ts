import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/repos.ts";
import { combined, type StatusRecord } from "../state/statuses.ts";
import { strangerWire } from "./issues.ts";
import { pathOf } from "./paths.ts";
import { repoWire } from "./repos.ts";

/** `CommitStatus`. */
export function statusWire(view: View, repo: RepoRecord, status: StatusRecord): Record<string, unknown> {
  return {
    id: status.number,
    status: status.status,
    target_url: status.target_url,
    description: status.description,
    url: `${pathOf(view, repo).api}/statuses/${status.sha}`,
    context: status.context,
    creator: status.creatorId === null ? null : strangerWire(view, status.creatorId),
    created_at: status.created_at,
    updated_at: status.updated_at,
  };
}

/** `CombinedStatus`, of the latest of each context. */
export async function combinedWire(
  view: View,
  repo: RepoRecord,
  sha: string,
  latest: readonly StatusRecord[],
  shown: readonly StatusRecord[],
): Promise<Record<string, unknown>> {
  const url = `${pathOf(view, repo).api}/commits/${sha}`;
  return {
    state: combined(latest),
    sha,
    total_count: latest.length,
    statuses: latest.length === 0 ? null : shown.map((status) => statusWire(view, repo, status)),
    repository: repoWire(view, repo),
    commit_url: url,
    url: `${url}/status`,
  };
}
