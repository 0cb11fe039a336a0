import { Failure } from "../failure/failure.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { Forge } from "./index.ts";

/** Who is to be assigned and who no longer, by login name. */
export interface AssigneeChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Changes the assignees of an issue or a pull request and leaves the others alone. Gitea has operations for just that
 * since 1.27; elsewhere the list is read, changed and sent at once, and the answer checked: the servers ignore it from
 * people without write access (api-facts 3.5.3).
 */
export async function changeAssignees(
  forge: Forge,
  repo: RepoName,
  index: number,
  change: AssigneeChange,
): Promise<void> {
  try {
    if (change.add.length > 0) await forge.issues.addAssignees(repo, index, change.add);
    if (change.remove.length > 0) await forge.issues.removeAssignees(repo, index, change.remove);
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    await replaceAssignees(forge, repo, index, change);
  }
}

async function replaceAssignees(forge: Forge, repo: RepoName, index: number, change: AssigneeChange): Promise<void> {
  const pull = await forge.pulls.get(repo, index);
  const gone = new Set(change.remove.map(small));
  const kept = (pull.assignees ?? []).map(({ login }) => login).filter((login) => !gone.has(small(login)));
  const present = new Set(kept.map(small));
  const assignees = [...kept, ...change.add.filter((login) => !present.has(small(login)))];
  const answer = await forge.pulls.edit(repo, index, { assignees });
  const now = new Set((answer.assignees ?? []).map(({ login }) => small(login)));
  const done = change.add.every((login) => now.has(small(login))) && [...gone].every((login) => !now.has(login));
  if (done) return;
  throw new Failure("ignored", "denied", "The server left the assignees as they were", {
    hint: "It ignores such a change from people without write access.",
  });
}

function small(login: string): string {
  return login.toLowerCase();
}
