import { refusalReply } from "../http/answer.ts";
import { found, notFound, Refusal, type Reply, refuse } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { pullAt } from "../state/issues.ts";
import type { PullRecord } from "../state/records/issues.ts";

export const reading = { repo: "pulls", hidden: true } as const;
export const writing = { ...reading, signedIn: true } as const;

/** Throws if the code of the repository is not readable or empty. */
export function requireCode({ repo, access }: Pick<Call<typeof reading>, "repo" | "access">): void {
  const right = "user should have specific read permission or be a repo admin or a site admin";
  if (!access.atLeast("read", "code")) refuse(403, right);
  if (repo.empty) notFound();
}

/** The pull request of a path. */
export function findPull(call: Call<typeof reading>, missing?: string): PullRecord {
  requireCode(call);
  return found(pullAt(call.site.store, call.repo.id, call.number("index")), missing);
}

/** The error message of some operations for an unknown pull request. */
export function pullNotFound(repoId: number): string {
  const ids = `id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${repoId}`;
  return `pull request does not exist [${ids}, head_branch: , base_branch: ]`;
}

/** Runs a write that is not atomic: changes made before a refusal are kept. */
export async function keepPartialChanges(call: Call<{ signedIn: true }>, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(call.site, error, call.currentUser.is_admin);
    throw error;
  }
}
