import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { present } from "../shape/shape.ts";
import { editIssue, issueAssigneeAdd, issueAssigneeRemove, issueGet } from "./issues.ts";
import { call } from "./operation.ts";
import { editPullRequest, pullGet } from "./pulls.ts";

/** The login names to assign and to unassign. */
export interface AssigneeChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Adds and removes assignees of an issue or a pull request. Gitea has operations for this since 1.27; otherwise the
 * list is read, changed and sent, and the answer checked: the servers ignore it without write access. They also remove who
 * is not in the list before they refuse somebody who is: those who go are only left out when the others are assigned
 * (docs/server-differences.md, "Pull requests: editing").
 */
export async function changeAssignees(
  http: Http,
  repo: RepoName,
  index: number,
  change: AssigneeChange,
  kind: "pulls" | "issues" = "pulls",
): Promise<void> {
  try {
    if (change.add.length > 0) await call(http, issueAssigneeAdd, { repo, index }, { assignees: change.add });
    if (change.remove.length > 0) await call(http, issueAssigneeRemove, { repo, index }, { assignees: change.remove });
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    await replaceAssignees(http, repo, index, change, kind);
  }
}

async function replaceAssignees(
  http: Http,
  repo: RepoName,
  index: number,
  change: AssigneeChange,
  kind: "pulls" | "issues",
): Promise<void> {
  const isIssue = kind === "issues";
  const { assignees: before } = await (isIssue
    ? call(http, issueGet, { repo, index })
    : call(http, pullGet, { repo, index }));
  const logins = present(before).map(({ login }) => login);
  const assigned = new Set(logins.map(lower));
  const removed = new Set(change.remove.map(lower));
  const all = [...logins, ...change.add.filter((login) => !assigned.has(lower(login)))];
  const left = all.filter((login) => !removed.has(lower(login)));
  const set = (assignees: readonly string[]) =>
    isIssue
      ? editIssue(http, repo, index, { assignees: [...assignees] })
      : editPullRequest(http, repo, index, { assignees: [...assignees] });
  if (all.length > logins.length && left.length < all.length) await set(all);
  await set(left);
}

function lower(login: string): string {
  return login.toLowerCase();
}
