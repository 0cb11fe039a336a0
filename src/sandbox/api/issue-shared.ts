import { startRunsOnPull } from "../actions/runs.ts";
import { accessTo } from "../http/access.ts";
import { found, notFound, refuse } from "../http/reply.ts";
import type { Call } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { reopenPull } from "../pulls/lifecycle.ts";
import type { RepoAt, Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { changeIssue, closeIssue, isPull, issueAt } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import type { LabelRecord, RepoRecord } from "../state/records/repos.ts";

export const reading = { repo: "any" } as const;
export const writing = { repo: "any", signedIn: true } as const;

/** Whether the caller has an access level for the unit of an issue (issues or pull requests). */
export function hasAccess(
  { access }: Pick<Call<typeof reading>, "access">,
  issue: IssueRecord,
  word: "read" | "write",
): boolean {
  return access.atLeast(word, issue.pull === null ? "issues" : "pulls");
}

/** The issue or pull request of a path. Throws 404 if it is not readable. */
export function findIssue(call: Call<typeof reading>, message?: string): IssueRecord {
  const issue = found(issueAt(call.site.store, call.repo.id, call.number("index")), message);
  return hasAccess(call, issue, "read") ? issue : notFound();
}

/** The error message of some operations for an unknown issue. */
export function issueNotFound(call: Call<typeof reading>): string {
  return `issue does not exist [id: 0, repo_id: ${call.repo.id}, index: ${call.number("index")}]`;
}

/** Whether the caller can read an issue in any repository. */
export function canSee({ site, currentUser }: Call, issue: IssueRecord): boolean {
  const repo = site.table("repos").get(issue.repoId);
  return repo !== undefined && hasAccess({ access: accessTo(site, currentUser, repo) }, issue, "read");
}

/** The last second of the day of a time, in its time zone. */
export function endOfDay(time: string): string {
  const zone = /(Z|[+-]\d\d:\d\d)$/.exec(time)?.[0] ?? "Z";
  return timestamp(`${time.slice(0, 10)}T23:59:59${zone}`);
}

/** An issue or a pull request in another state. Throws 412 for a merged one, and an unknown state. */
export async function withState<T extends IssueRecord>(
  { site, currentUser }: Call<typeof writing>,
  issue: T,
  state: string,
): Promise<T> {
  if (issue.pull?.merged) refuse(412, "cannot change state of this pull request, it was already merged");
  if (state === "closed") return closeIssue(site, issue);
  if (state !== "open") refuse(412, `unknown state: ${state}`);
  if (issue.state === "open") return issue;
  if (!isPull(issue)) return changeIssue(site, issue, { state: "open", closed_at: null });
  const open = await reopenPull(site, issue);
  await startRunsOnPull(site, open, currentUser, "reopened");
  return open as IssueRecord as T;
}

/** The names of assignees in a body; undefined if it has none. */
export function assigneesOf(body: {
  readonly assignee?: string;
  readonly assignees?: readonly string[];
}): readonly string[] | undefined {
  if (body.assignees === undefined && !body.assignee) return undefined;
  return [...(body.assignees ?? []), ...(body.assignee ? [body.assignee] : [])];
}

/**
 * The ids of assignees, in the order of their names: Gitea assigns them in no particular one. Throws 422 for a user who
 * does not exist or cannot see the repository.
 */
export function resolveAssignees({ site, repo }: RepoAt, names: readonly string[]): number[] {
  const sorted = [...names].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  const ids = sorted.map((name) => {
    const user = userNamed(site.store, name);
    if (user === undefined) refuse(422, `Assignee does not exist: [name: user does not exist [uid: 0, name: ${name}]]`);
    if (!accessTo(site, user, repo).visible) {
      refuse(422, `user doesn't have access to repo [user_id: ${user.id}, repo_name: ${repo.name}]`);
    }
    return user.id;
  });
  return [...new Set(ids)];
}

/** The labels of a repository and of the organization that owns it. */
export const availableLabels = ({ store }: Site, repo: RepoRecord): LabelRecord[] =>
  store.table("labels").filter(({ repoId, orgId }) => repoId === repo.id || orgId === repo.ownerId);

/** The ids that are labels there. Others are dropped, and so are all but one exclusive label of a scope. */
export function knownLabels({ site, repo }: RepoAt, ids: readonly number[]): number[] {
  const known = availableLabels(site, repo).map(({ id }) => id);
  return withLabels(
    site,
    [],
    known.filter((id) => ids.includes(id)),
  );
}

/** Labels with further ones. An exclusive label replaces those of its scope; of several added ones the last by name. */
export function withLabels({ store }: Site, before: readonly number[], added: readonly number[]): number[] {
  const labelOf = (id: number) => store.table("labels").get(id);
  const byName = [...added].sort((one, other) => ((labelOf(one)?.name ?? "") < (labelOf(other)?.name ?? "") ? -1 : 1));
  const winner = new Map(byName.map((id) => [scopeOf(labelOf(id)), id]));
  winner.delete(undefined);
  const stays = (id: number) => (winner.get(scopeOf(labelOf(id))) ?? id) === id;
  return [...new Set([...before, ...added])].filter(stays);
}

/** The scope of an exclusive label: `size` of `size/small`. */
function scopeOf(label: LabelRecord | undefined): string | undefined {
  return label?.exclusive ? /^(.+)\/[^/]+$/.exec(label.name)?.[1] : undefined;
}
