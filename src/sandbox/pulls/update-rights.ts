import { accessTo } from "../http/access.ts";
import type { Site } from "../site.ts";
import { openPulls, type PullRecord } from "../state/pulls.ts";
import type { RepoRecord } from "../state/repos.ts";
import { mayForce, mayPushTo, ruleFor } from "../state/rules.ts";
import type { UserRecord } from "../state/users.ts";
import { baseRepoOf } from "./mergeability.ts";

/** Branches of a fork that somebody may push to because a pull request lets the base's maintainers. */
export function maintainable(site: Site, repo: RepoRecord, user: UserRecord): string[] {
  return openPulls(site.store)
    .filter((one) => one.pull.headRepoId === repo.id && isMaintainer(site, one, user))
    .map(({ pull }) => pull.head);
}

function isMaintainer(site: Site, pull: PullRecord, user: UserRecord): boolean {
  const base = baseRepoOf(site, pull);
  return (
    pull.pull.allowsMaintainers &&
    pull.pull.headRepoId !== base.id &&
    accessTo(site, user, base).atLeast("write", "code")
  );
}

/** Whether somebody may bring the head up to date: by a merge, or by a rebase, which rewrites it. */
export function mayUpdate(
  site: Site,
  pull: PullRecord,
  head: RepoRecord,
  user: UserRecord,
  style: "merge" | "rebase",
): boolean {
  const { settings } = baseRepoOf(site, pull);
  if (!(style === "rebase" ? settings.allow_rebase_update : settings.allow_merge_update)) return false;
  const rule = ruleFor(site.store, head.id, pull.pull.head);
  if (rule && !(style === "rebase" ? mayForce : mayPushTo)(site.store, rule, user)) return false;
  return accessTo(site, user, head).atLeast("write", "code") || isMaintainer(site, pull, user);
}
