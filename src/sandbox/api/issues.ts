import { issueConfigGet, issueConfigValidate, issueTemplateList } from "../../forge/issue-templates.ts";
import {
  issueAssigneeAdd,
  issueAssigneeRemove,
  issueCreate,
  issueDelete,
  issueEdit,
  issueGet,
} from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove } from "../../forge/labels.ts";
import { issueLock, issueUnlock } from "../../forge/pins.ts";
import { startRunsOnPull } from "../actions/runs.ts";
import { accessTo } from "../http/access.ts";
import { fail, found, json, listed, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, other, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { reopenPull } from "../pulls/lifecycle.ts";
import { issueJson, labelJson, labelsOf } from "../serializers/issues.ts";
import type { RepoAt } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { changeIssue, closeIssue, isPull, issueAt, newIssue, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import { availableLabels, knownLabels, withLabels } from "./labels.ts";

export const reading = { repo: "any" } as const;
export const writing = { repo: "any", signedIn: true } as const;
const creation = { ...writing, unarchived: true } as const;
const asAdmin = { ...writing, right: "admin" } as const;

/** Issues, with the labels and assignees of pull requests. Templates are not read: every repository has none. */
export const issues: Area = [
  route(issueCreate, creation, create),
  route(issueTemplateList, reading, () => json(200, null)),
  route(issueConfigGet, reading, () => ({ blank_issues_enabled: true, contact_links: [] })),
  route(issueConfigValidate, reading, () => ({ valid: true, message: "" })),
  route(issueGet, reading, (call) => issueJson(call, findIssue(call))),
  route(issueDelete, asAdmin, remove),
  route(issueLock, asAdmin, (call) => lock(call, true)),
  route(issueUnlock, asAdmin, (call) => lock(call, false)),
  route(issueEdit, { ...writing, partial: true }, edit),
  route(other("GET /repos/{owner}/{repo}/issues/{index}/labels"), reading, (call) =>
    labelsReply(call, findIssue(call)),
  ),
  route(issueLabelAdd, writing, (call) => relabel(call, findWritable(call).labels)),
  route(other("PUT /repos/{owner}/{repo}/issues/{index}/labels"), writing, (call) => relabel(call, [])),
  route(
    other("DELETE /repos/{owner}/{repo}/issues/{index}/labels"),
    writing,
    (call) => void changeIssue(call.site, findWritable(call, "none"), { labels: [] }),
  ),
  route(issueLabelRemove, writing, (call) => {
    const [issue, id] = [findWritable(call, "none"), call.number("id")];
    const known = availableLabels(call.site, call.repo).some((label) => label.id === id);
    if (!known) notFound(`label does not exist [label_id: ${id}, repo_id: ${call.repo.id}]`);
    changeIssue(call.site, issue, { labels: issue.labels.filter((one) => one !== id) });
  }),
  route(issueAssigneeAdd, writing, (call) => {
    const { before, given } = assigneeChange(call);
    const assignees = [...new Set([...before.assignees, ...given])];
    return issueJson(call, changeIssue(call.site, before, { assignees }));
  }),
  route(issueAssigneeRemove, writing, (call) => {
    const { before, given } = assigneeChange(call);
    const assignees = before.assignees.filter((id) => !given.includes(id));
    return issueJson(call, changeIssue(call.site, before, { assignees }));
  }),
];

/** Creates an issue. Labels, milestone and assignees are ignored without write access. */
function create(call: Call<typeof creation, typeof issueCreate>) {
  const { site, repo, currentUser, access, body } = call;
  if (!access.atLeast("read", "issues")) notFound();
  const mayWrite = access.atLeast("write", "issues");
  const issue = newIssue(site, {
    repoId: repo.id,
    posterId: currentUser.id,
    title: body.title,
    body: body.body ?? "",
    ref: body.ref ?? "",
    due_date: body.due_date === undefined ? null : timestamp(body.due_date),
    labels: mayWrite ? knownLabels(call, body.labels ?? []) : [],
    milestoneId: mayWrite ? (site.table("milestones").get(body.milestone ?? 0)?.id ?? null) : null,
    assignees: mayWrite ? resolveAssignees(call, assigneesOf(body) ?? []) : [],
  });
  return issueJson(call, body.closed ? closeIssue(site, issue) : issue);
}

/** Deletes an issue with its comments. */
function remove(call: Call<typeof asAdmin>) {
  const { store } = call.site;
  const issue = findIssue(call, issueNotFound(call));
  for (const table of ["comments", "attachments"] as const)
    store.table(table).remove(({ repoId, index }) => repoId === issue.repoId && index === issue.index);
  store.table("issues").delete(`${issue.repoId}/${issue.index}`);
}

function lock(call: Call<typeof asAdmin>, is_locked: boolean): void {
  saveIssue(call.site.store, { ...findIssue(call, issueNotFound(call)), is_locked });
}

/** Edits an issue. `milestone: 0` clears the milestone here, but not in the edit operation of pull requests. */
async function edit(call: Call<typeof writing, typeof issueEdit>) {
  const { site, repo, currentUser, body } = call;
  const issue = findIssue(call);
  const mayWrite = hasAccess(call, issue, "write");
  if (issue.posterId !== currentUser.id && !mayWrite) throw new Refusal(403, "", "none");
  if (body.content_version !== undefined && body.content_version !== issue.content_version)
    refuse(409, "the issue is already changed");
  let now = changeIssue(call.site, issue, {
    ...(body.title ? { title: body.title } : {}),
    ...(body.body === undefined ? {} : { body: body.body, content_version: issue.content_version + 1 }),
    ...(body.ref === undefined ? {} : { ref: body.ref }),
    ...(body.unset_due_date ? { due_date: null } : body.due_date ? { due_date: endOfDay(body.due_date) } : {}),
  });
  const names = mayWrite ? assigneesOf(body) : undefined;
  if (names !== undefined) {
    const stranger = names.find((name) => userNamed(site.store, name) === undefined);
    if (stranger !== undefined) fail(`user does not exist [uid: 0, name: ${stranger}]`);
    now = changeIssue(call.site, now, { assignees: resolveAssignees(call, names) });
  }
  if (mayWrite && body.milestone !== undefined) {
    const known = body.milestone === 0 || site.table("milestones").get(body.milestone)?.repoId === repo.id;
    if (!known) fail(`milestone does not exist [id: ${body.milestone}, repo_id: ${repo.id}]`);
    now = changeIssue(call.site, now, { milestoneId: body.milestone || null });
  }
  if (body.state !== undefined) now = await withState(call, now, body.state);
  return json(201, issueJson(call, now));
}

/** Throws 403 without write access, in some operations without a body. */
function findWritable(call: Call<typeof writing>, form: "message" | "none" = "message"): IssueRecord {
  const issue = findIssue(call);
  if (hasAccess(call, issue, "write")) return issue;
  throw new Refusal(403, "write permission is required", form);
}

/** Adds labels to those of `kept`, given as ids or names but not both. Unknown labels are ignored. */
function relabel(call: Call<typeof writing, typeof issueLabelAdd>, kept: readonly number[]) {
  const issue = findWritable(call);
  const asked = (call.body.labels ?? []).map((value) => (typeof value === "number" ? Math.trunc(value) : value));
  const kinds = new Set(asked.map((value) => typeof value));
  if ([...kinds].some((kind) => kind !== "string" && kind !== "number"))
    refuse(400, "a label must be an integer or a string");
  if (kinds.size > 1) refuse(400, "labels should be an array of strings or integers");
  const added = availableLabels(call.site, call.repo).filter(
    ({ id, name }) => asked.includes(id) || asked.includes(name),
  );
  return labelsReply(call, changeIssue(call.site, issue, { labels: withLabels(call.site, kept, added) }));
}

function labelsReply(call: Call<typeof reading>, issue: IssueRecord) {
  return listed(call, labelsOf(call, issue), labelJson);
}

function assigneeChange(call: Call<typeof writing, typeof issueAssigneeAdd>) {
  const before = findIssue(call, issueNotFound(call));
  if (!hasAccess(call, before, "write")) throw new Refusal(403, "", "none");
  const given = (call.body.assignees ?? []).map(
    (name) => userNamed(call.site.store, name)?.id ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`),
  );
  return { before, given };
}

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
