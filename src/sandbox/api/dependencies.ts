import {
  issueBlockAdd,
  issueBlockList,
  issueBlockRemove,
  issueDependencyAdd,
  issueDependencyList,
  issueDependencyRemove,
} from "../../forge/dependencies.ts";
import type { IssueMeta } from "../../forge/generated/operations.ts";
import { optional } from "../http/form.ts";
import { pageHeaders, pageItems, pageOf, pageSize } from "../http/paging.ts";
import { fail, json, listed, notFound, type Reply } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { issueJson } from "../serializers/issues.ts";
import type { Site } from "../site.ts";
import { issueAt, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import { repoAt } from "../state/repos.ts";
import { canSee, findIssue, hasAccess, issueNotFound, reading, writing } from "./issue-shared.ts";

/** Gitea looks for the issue of any body, and does not find it. */
const blocking = { ...writing, body: { index: [optional], owner: [optional], repo: [optional] } } as const;
/** In an archived repository, blocks are 404. */
const needs = { ...blocking, unarchived: true } as const;

/** Dependencies of issues and pull requests, from both ends. */
export const dependencies: Area = {
  routes: [
    route(issueDependencyList, reading, list),
    route(issueDependencyAdd, needs, (call) => change(call, (issue, other) => addDependency(call.site, issue, other))),
    route(issueDependencyRemove, needs, (call) =>
      change(call, (issue, other) => removeDependency(call.site, issue, other)),
    ),
    route(issueBlockList, reading, listBlocked),
    route(issueBlockAdd, blocking, (call) => change(call, (issue, other) => addDependency(call.site, other, issue))),
    route(issueBlockRemove, blocking, (call) =>
      change(call, (issue, other) => removeDependency(call.site, other, issue)),
    ),
  ],
};

function addDependency(site: Site, issue: IssueRecord, other: IssueRecord): void {
  const ids = `[issue id: ${issue.id}, dependency id: ${other.id}]`;
  if (issue.dependsOn.includes(other.id)) fail(`issue dependency does already exist ${ids}`);
  if (issue.id !== other.id && other.dependsOn.includes(issue.id)) {
    fail(`circular dependencies exists (two issues blocking each other) ${ids}`);
  }
  saveIssue(site.store, { ...issue, dependsOn: [...issue.dependsOn, other.id] });
}

function removeDependency(site: Site, issue: IssueRecord, other: IssueRecord): void {
  const ids = `[issue id: ${issue.id}, dependency id: ${other.id}]`;
  if (!issue.dependsOn.includes(other.id)) fail(`issue dependency does not exist ${ids}`);
  saveIssue(site.store, { ...issue, dependsOn: issue.dependsOn.filter((id) => id !== other.id) });
}

/** The issues that it blocks and the caller can see, without paging headers. */
function listBlocked(call: Call<typeof reading>): Reply {
  const issue = findIssue(call, issueNotFound(call));
  const all = call.table("issues").filter(({ dependsOn }) => dependsOn.includes(issue.id));
  const visible = all.filter((one) => canSee(call, one)).sort(inOrderFor(issue));
  const page = pageOf(call.query);
  // A limit of 1 counts as none.
  const shown = pageItems(visible, page.size === 1 ? { ...page, size: pageSize.default } : page);
  return listed(call, shown, issueJson);
}

function list(call: Call<typeof reading>): Reply {
  const issue = findIssue(call, issueNotFound(call));
  if (isSwitchedOff(call)) notFound();
  const found = issue.dependsOn.flatMap((id) => call.table("issues").find((one) => one.id === id) ?? []);
  const all = found.sort(inOrderFor(issue));
  const page = pageOf(call.query);
  const results = pageItems(all, page).map((one) => (canSee(call, one) ? issueJson(call, one) : hidden(call, one)));
  return json(200, results, pageHeaders(call, all.length, page, "total and link"));
}

const isSwitchedOff = ({ repo }: Call<typeof reading>) => repo.internalTracker?.enable_issue_dependencies === false;

/** Those of the issue's own repository first, then by repository; of each, the newest first. */
function inOrderFor({ repoId }: IssueRecord): (one: IssueRecord, other: IssueRecord) => number {
  const place = (issue: IssueRecord) => (issue.repoId === repoId ? 0 : issue.repoId);
  return (one, other) =>
    place(one) - place(other) || Date.parse(other.created_at) - Date.parse(one.created_at) || one.id - other.id;
}

/** A dependency the caller cannot see, without its contents. */
function hidden(call: Call, issue: IssueRecord): Record<string, unknown> {
  const nothing = { id: 0, url: "", html_url: "", number: 0, user: null, title: "HIDDEN", body: "", labels: [] };
  return { ...issueJson(call, { ...issue, milestoneId: null, assignees: [], pull: null }), ...nothing };
}

/** Changes a dependency and responds with the issue of the path. */
function change(call: Call<typeof writing, IssueMeta>, next: (issue: IssueRecord, other: IssueRecord) => void): Reply {
  const { site, body } = call;
  const issue = findIssue(call, issueNotFound(call));
  if (call.repo.archived || isSwitchedOff(call)) notFound();
  const { owner = "", repo = "", index = 0 } = body;
  const place = repoAt(site.store, owner, repo);
  if (place === undefined) notFound(`repository does not exist [id: 0, uid: 0, owner_name: ${owner}, name: ${repo}]`);
  const other = issueAt(site.store, place.id, index);
  if (other === undefined) notFound(`issue does not exist [id: 0, repo_id: ${place.id}, index: ${index}]`);
  if (!hasAccess(call, issue, "write") || !canSee(call, other)) notFound();
  next(issue, other);
  return json(201, issueJson(call, issueAt(site.store, issue.repoId, issue.index) ?? issue));
}
