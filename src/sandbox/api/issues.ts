import type { CreateIssueOption, EditIssueOption } from "../../forge/generated/operations.ts";
import { issueConfigGet, issueConfigValidate, issueTemplateList } from "../../forge/issue-templates.ts";
import { issueCreate, issueDelete, issueEdit, issueGet } from "../../forge/issues.ts";
import { refuseBlocked } from "../http/access.ts";
import { empty, fail, json, Refusal, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { reopenPull } from "../pulls/lifecycle.ts";
import { issueJson } from "../serializers/issues.ts";
import { userNamed } from "../state/accounts.ts";
import { isPull, issuesOf, newIssue, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import {
  closeIssue,
  endOfDay,
  findIssue,
  hasAccess,
  issueNotFound,
  knownLabels,
  reading,
  resolveAssignees,
  withChanges,
  writing,
} from "./issue-shared.ts";
import { keepPartialChanges } from "./pull-shared.ts";

const creation = { ...writing, unarchived: true } as const;
const deleting = { ...writing, right: "admin" } as const;

/** Issues, as far as pull requests and milestones need them. Templates are not read: every repository has none. */
export const issues: Area = {
  routes: [
    route(issueCreate, creation, create),
    route(issueTemplateList, { repo: "any" }, () => json(200, null)),
    route(issueConfigGet, { repo: "any" }, () => json(200, { blank_issues_enabled: true, contact_links: [] })),
    route(issueConfigValidate, { repo: "any" }, () => json(200, { valid: true, message: "" })),
    route(issueGet, reading, (call) => json(200, issueJson(call, findIssue(call)))),
    route(issueDelete, deleting, remove),
    route(issueEdit, writing, (call) => keepPartialChanges(call, () => edit(call))),
  ],
  repoCounts: ({ store }, repo) => {
    const open = issuesOf(store, repo.id).filter(({ state }) => state === "open");
    const pulls = open.filter(isPull).length;
    return { open_issues_count: open.length - pulls, open_pr_counter: pulls };
  },
  milestoneCounts: ({ store }, { id, repoId }) => {
    const all = issuesOf(store, repoId).filter(({ milestoneId }) => milestoneId === id);
    const open = all.filter(({ state }) => state === "open").length;
    return { open, closed: all.length - open };
  },
  labelDeleted: ({ store }, { id }) => {
    for (const issue of store.table("issues").filter(({ labels }) => labels.includes(id))) {
      saveIssue(store, { ...issue, labels: issue.labels.filter((label) => label !== id) });
    }
  },
  milestoneDeleted: ({ store }, { id }) => {
    for (const issue of store.table("issues").filter(({ milestoneId }) => milestoneId === id)) {
      saveIssue(store, { ...issue, milestoneId: null });
    }
  },
};

/** Creates an issue. Labels, milestone and assignees are ignored without write access. */
function create(call: Call<typeof creation, CreateIssueOption>): Reply {
  const { site, repo, currentUser, access, body } = call;
  if (!access.atLeast("read", "issues")) refuse(404, "not found");
  refuseBlocked(call, repo.ownerId);
  const mayWrite = access.atLeast("write", "issues");
  const names = [...(body.assignees ?? []), ...(body.assignee ? [body.assignee] : [])];
  const issue = newIssue(site.store, site.now(), {
    repoId: repo.id,
    posterId: currentUser.id,
    title: body.title,
    body: body.body ?? "",
    ref: body.ref ?? "",
    due_date: body.due_date === undefined ? null : timestamp(body.due_date),
    labels: mayWrite ? knownLabels(site, repo, body.labels ?? []) : [],
    milestoneId: mayWrite ? (site.table("milestones").get(body.milestone ?? 0)?.id ?? null) : null,
    assignees: mayWrite ? resolveAssignees(site, repo, names) : [],
  });
  return json(201, issueJson(call, body.closed ? closeIssue(site, issue) : issue));
}

/** Deletes an issue with its comments, and what depended on it no longer does. */
function remove(call: Call<typeof deleting>): Reply {
  const { store } = call.site;
  const issue = findIssue(call, issueNotFound(call));
  for (const table of ["comments", "attachments"] as const)
    store.table(table).remove(({ repoId, index }) => repoId === issue.repoId && index === issue.index);
  for (const other of store.table("issues").filter(({ dependsOn }) => dependsOn.includes(issue.id))) {
    saveIssue(store, { ...other, dependsOn: other.dependsOn.filter((id) => id !== issue.id) });
  }
  store.table("issues").delete(`${issue.repoId}/${issue.index}`);
  return empty(204);
}

/** Edits an issue. `milestone: 0` clears the milestone here, but not in the edit operation of pull requests. */
async function edit(call: Call<typeof writing, EditIssueOption>): Promise<Reply> {
  const { site, repo, currentUser, body } = call;
  const issue = findIssue(call);
  const mayWrite = hasAccess(call, issue, "write");
  if (issue.posterId !== currentUser.id && !mayWrite) throw new Refusal(403, "", "none");
  if (body.content_version !== undefined && body.content_version !== issue.content_version) {
    refuse(409, "the issue is already changed");
  }
  const dates = body.unset_due_date ? { due_date: null } : body.due_date ? { due_date: endOfDay(body.due_date) } : {};
  let now = saveIssue(
    site.store,
    withChanges(site, issue, {
      ...(body.title ? { title: body.title } : {}),
      ...(body.body === undefined ? {} : { body: body.body, content_version: issue.content_version + 1 }),
      ...(body.ref === undefined ? {} : { ref: body.ref }),
      ...dates,
    }),
  );
  if (mayWrite && (body.assignees !== undefined || body.assignee)) {
    const names = [...(body.assignees ?? []), ...(body.assignee ? [body.assignee] : [])];
    const stranger = names.find((name) => userNamed(site.store, name) === undefined);
    if (stranger !== undefined) fail(`user does not exist [uid: 0, name: ${stranger}]`);
    now = saveIssue(site.store, withChanges(site, now, { assignees: resolveAssignees(site, repo, names) }));
  }
  if (mayWrite && body.milestone !== undefined) {
    const known = body.milestone === 0 || site.table("milestones").get(body.milestone)?.repoId === repo.id;
    if (!known) fail(`milestone does not exist [id: ${body.milestone}, repo_id: ${repo.id}]`);
    now = saveIssue(site.store, withChanges(site, now, { milestoneId: body.milestone || null }));
  }
  if (body.state !== undefined) now = await withState(call, now, body.state);
  return json(201, issueJson(call, now));
}

async function withState({ site }: Call, issue: IssueRecord, state: string): Promise<IssueRecord> {
  if (issue.pull?.merged) refuse(412, "cannot change state of this pull request, it was already merged");
  if (state === "closed") return closeIssue(site, issue);
  if (state !== "open") refuse(412, `unknown state: ${state}`);
  if (issue.state === "open") return issue;
  return isPull(issue)
    ? reopenPull(site, issue)
    : saveIssue(site.store, withChanges(site, issue, { state: "open", closed_at: null }));
}
