import type { View } from "../http/route.ts";
import { commentsOf, isDraft, issueAt } from "../state/issues.ts";
import type { CommentRecord, IssueRecord } from "../state/records/issues.ts";
import type { LabelRecord, MilestoneRecord } from "../state/records/repos.ts";
import { userWire } from "./accounts.ts";
import { pathOf } from "./values.ts";

/** The labels of an issue, sorted by name. */
export function labelsOf({ site }: Pick<View, "site">, { labels }: Pick<IssueRecord, "labels">): LabelRecord[] {
  const found = labels.flatMap((id) => site.table("labels").get(id) ?? []);
  return found.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id));
}

/** A user by id, as shown to the caller. A deleted user is the ghost user. */
export function userByIdWire(view: View, id: number): Record<string, unknown> {
  const user = view.site.table("users").get(id);
  return user ? userWire(view, user) : { id: -1, login: "Ghost", full_name: "", email: "", username: "Ghost" };
}

/** A user by id, as shown to an anonymous viewer. Gitea shows most users except the author like this. */
export function publicUserWire(view: View, id: number): Record<string, unknown> {
  return userByIdWire({ ...view, currentUser: undefined }, id);
}

/** The fields common to issues and pull requests. */
export function sharedWire(view: View, issue: IssueRecord): Record<string, unknown> {
  const { store } = view.site;
  const milestone = issue.milestoneId === null ? undefined : store.table("milestones").get(issue.milestoneId);
  const assignees = issue.assignees.map((id) => publicUserWire(view, id));
  return {
    id: issue.id,
    number: issue.index,
    user: userByIdWire(view, issue.posterId),
    title: issue.title,
    body: issue.body,
    labels: labelsOf(view, issue).map((label) => labelWire(view, label)),
    milestone: milestone ? milestoneWire(view, milestone) : null,
    assignee: assignees[0] ?? null,
    assignees,
    state: issue.state,
    is_locked: issue.is_locked,
    comments: commentsOf(store, issue.repoId, issue.index).length,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    due_date: issue.due_date,
    pin_order: issue.pin_order ?? 0,
    content_version: issue.content_version,
  };
}

/** `Issue`, also for a pull request. */
export function issueWire(view: View, issue: IssueRecord): Record<string, unknown> {
  const repo = view.site.table("repos").get(issue.repoId);
  if (repo === undefined) throw new Error(`issue ${issue.id} has no repository`);
  const { api, web, full } = pathOf(view, repo);
  const shared = sharedWire(view, issue);
  const html_url = `${web}/${issue.pull ? "pulls" : "issues"}/${issue.index}`;
  return {
    ...shared,
    url: `${api}/issues/${issue.index}`,
    html_url,
    original_author: "",
    original_author_id: 0,
    ref: "",
    assets: [],
    projects: null,
    assignees: issue.assignees.length === 0 ? null : shared.assignees,
    time_estimate: 0,
    pull_request: issue.pull && {
      merged: issue.pull.merged !== null,
      merged_at: issue.pull.merged?.at ?? null,
      draft: isDraft(issue),
      html_url,
    },
    repository: { id: repo.id, name: repo.name, owner: full.split("/")[0] ?? "", full_name: full },
  };
}

/** `Comment`. Either `issue_url` or `pull_request_url` is empty. */
export function commentWire(view: View, comment: CommentRecord): Record<string, unknown> {
  const { store } = view.site;
  const repo = store.table("repos").get(comment.repoId);
  if (repo === undefined) throw new Error(`comment ${comment.id} has no repository`);
  const { web } = pathOf(view, repo);
  const isPull = issueAt(store, comment.repoId, comment.index)?.pull != null;
  const page = `${web}/${isPull ? "pulls" : "issues"}/${comment.index}`;
  return {
    id: comment.id,
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: isPull ? page : "",
    issue_url: isPull ? "" : page,
    user: publicUserWire(view, comment.posterId),
    original_author: "",
    original_author_id: 0,
    body: comment.body,
    assets: [],
    created_at: comment.created_at,
    updated_at: comment.updated_at,
  };
}

/** `Label`. The URL of an organization's label is below the organization. */
export function labelWire(view: View, label: LabelRecord): Record<string, unknown> {
  const { store } = view.site;
  const repo = store.table("repos").get(label.repoId);
  const org = store.table("users").get(label.orgId)?.name ?? "";
  const where = repo ? pathOf(view, repo).api : `${view.site.root}/api/v1/orgs/${org}`;
  const { id, name, exclusive, is_archived, color, description } = label;
  return { id, name, exclusive, is_archived, color, description, url: `${where}/labels/${id}` };
}

/** `Milestone` with its issue counts. */
export function milestoneWire({ site }: View, milestone: MilestoneRecord): Record<string, unknown> {
  const { id, title, description, state, created_at, updated_at, closed_at, due_on } = milestone;
  const counts = site.areas.map((area) => area.milestoneCounts?.(site, milestone) ?? { open: 0, closed: 0 });
  const sum = (key: "open" | "closed") => counts.reduce((total, count) => total + count[key], 0);
  return {
    id,
    title,
    description,
    state,
    open_issues: sum("open"),
    closed_issues: sum("closed"),
    created_at,
    updated_at,
    closed_at,
    due_on,
  };
}
