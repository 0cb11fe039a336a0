import { accessTo } from "../http/access.ts";
import { refuse } from "../http/refusal.ts";
import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/repos.ts";
import { userNamed } from "../state/users.ts";

/** The numbers of people to be assigned; 422 for who is unknown or cannot see the repository. */
export function assigneesNamed(site: Site, repo: RepoRecord, names: readonly string[]): number[] {
  const ids = names.map((name) => {
    const user = userNamed(site.store, name);
    if (user === undefined) refuse(422, `Assignee does not exist: [name: user does not exist [uid: 0, name: ${name}]]`);
    if (!accessTo(site, user, repo).visible) {
      refuse(422, `user doesn't have access to repo [user_id: ${user.id}, repo_name: ${repo.name}]`);
    }
    return user.id;
  });
  return [...new Set(ids)];
}

/** Those of the labels that the repository, or the organization that owns it, has: others are dropped. */
export function labelsKnown({ store }: Site, repo: RepoRecord, ids: readonly number[]): number[] {
  const known = store
    .table("labels")
    .filter(({ id, repoId, orgId }) => ids.includes(id) && (repoId === repo.id || orgId === repo.ownerId));
  return known.map(({ id }) => id);
}
