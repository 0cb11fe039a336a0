import type { PullRequest } from "../../forge/pulls.ts";

/** A branch, and whose it is where that was said. */
export interface Head {
  readonly branch: string;
  readonly owner?: string | undefined;
}

/** Whether a pull request comes from a branch. The owner of a fork that is gone is not known, and not tested. */
export function comesFrom(pull: PullRequest, { branch, owner }: Head): boolean {
  if (pull.head?.ref !== branch && pull.head?.label !== branch) return false;
  const actual = pull.head?.repo?.owner?.login;
  return owner === undefined || actual === undefined || actual.toLowerCase() === owner.toLowerCase();
}
