import { pathOf, type View } from "../http/route.ts";
import { recordOf } from "../release.ts";
import { commentsOf, isDraft, issueAt, issuesOf } from "../state/issues.ts";
import { byNameAndId } from "../state/order.ts";
import type { AttachmentRecord, CommentRecord, IssueRecord } from "../state/records/issues.ts";
import type { LabelRecord, MilestoneRecord } from "../state/records/repos.ts";
import { userJson } from "./accounts.ts";

/** The labels of an issue, sorted by name. */
export function labelsOf({ site }: Pick<View, "site">, { labels }: Pick<IssueRecord, "labels">): LabelRecord[] {
  return labels.flatMap((id) => site.table("labels").get(id) ?? []).sort(byNameAndId);
}

/** A user by id, as shown to the caller. A deleted user is the ghost user. */
export function userByIdJson(view: View, id: number): Record<string, unknown> {
  const user = view.site.table("users").get(id);
  return user ? userJson(view, user) : { id: -1, login: "Ghost", full_name: "", email: "", username: "Ghost" };
}

/** A user by id, as shown to an anonymous viewer. Gitea shows most users except the author like this. */
export function publicUserJson(view: View, id: number): Record<string, unknown> {
  return userByIdJson({ ...view, currentUser: undefined }, id);
}

/** The fields common to issues and pull requests. */
export function sharedJson(view: View, issue: IssueRecord): Record<string, unknown> {
  const { store } = view.site;
  const milestone = store.table("milestones").get(issue.milestoneId);
  const assignees = issue.assignees.map((id) => publicUserJson(view, id));
  return {
    ...issue,
    number: issue.index,
    user: userByIdJson(view, issue.posterId),
    labels: labelsOf(view, issue).map((label) => labelJson(view, label)),
    milestone: milestone ? milestoneJson(view, milestone) : null,
    assignee: assignees[0] ?? null,
    assignees,
    comments: commentsOf(store, issue.repoId, issue.index).length,
  };
}

/** `Issue`, also for a pull request. */
export function issueJson(view: View, issue: IssueRecord): Record<string, unknown> {
  const repo = view.site.table("repos").must(issue.repoId);
  const { api, web, full } = pathOf(view, repo);
  const shared = sharedJson(view, issue);
  const html_url = `${web}/${issue.pull ? "pulls" : "issues"}/${issue.index}`;
  return recordOf(view.site, "Issue", shared, {
    url: `${api}/issues/${issue.index}`,
    html_url,
    assets: attachmentsOf(view, { ...issue, commentId: null }).map((file) => attachmentJson(view, file)),
    assignees: issue.assignees.length === 0 ? null : shared.assignees,
    pull_request: issue.pull && {
      merged: issue.pull.merged !== null,
      merged_at: issue.pull.merged?.at ?? null,
      draft: isDraft(issue),
      html_url,
    },
    repository: { id: repo.id, name: repo.name, owner: full.split("/")[0] ?? "", full_name: full },
  });
}

/** `Comment`. Either `issue_url` or `pull_request_url` is empty. Only lists have its files. */
export function commentJson(
  view: View,
  comment: CommentRecord,
  files: readonly AttachmentRecord[] = [],
): Record<string, unknown> {
  const { store } = view.site;
  const { web } = pathOf(view, store.table("repos").must(comment.repoId));
  const isPull = issueAt(store, comment.repoId, comment.index)?.pull != null;
  const page = `${web}/${isPull ? "pulls" : "issues"}/${comment.index}`;
  return recordOf(view.site, "Comment", comment, {
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: isPull ? page : "",
    issue_url: isPull ? "" : page,
    user: publicUserJson(view, comment.posterId),
    assets: files.map((file) => attachmentJson(view, file)),
  });
}

/** The files of an issue, or of a comment. */
export function attachmentsOf(
  { site }: Pick<View, "site">,
  at: Pick<AttachmentRecord, "repoId" | "index" | "commentId">,
): AttachmentRecord[] {
  return site
    .table("attachments")
    .filter((one) => one.repoId === at.repoId && one.index === at.index && one.commentId === at.commentId);
}

/** `Attachment` of an issue or a comment. */
export function attachmentJson(view: View, file: AttachmentRecord): Record<string, unknown> {
  const address = `${view.origin}/attachments/${file.uuid}`;
  return recordOf(view.site, "Attachment", file, { browser_download_url: address, type: "attachment" });
}

/** `Label`. The URL of an organization's label is below the organization. */
export function labelJson(view: View, label: LabelRecord): Record<string, unknown> {
  const { store } = view.site;
  const repo = store.table("repos").get(label.repoId);
  const org = store.table("users").get(label.orgId)?.name ?? "";
  const where = repo ? pathOf(view, repo).api : `${view.site.root}/api/v1/orgs/${org}`;
  return recordOf(view.site, "Label", label, { url: `${where}/labels/${label.id}` });
}

/** `Milestone` with its issue counts. */
export function milestoneJson({ site }: View, milestone: MilestoneRecord): Record<string, unknown> {
  const all = issuesOf(site.store, milestone.repoId).filter(({ milestoneId }) => milestoneId === milestone.id);
  const open_issues = all.filter(({ state }) => state === "open").length;
  return recordOf(site, "Milestone", milestone, { open_issues, closed_issues: all.length - open_issues });
}
