import { form, integer, string } from "../http/form.ts";
import { pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { json, notFound, Refusal, type Reply } from "../http/reply.ts";
import { type Area, type Call, del, get, post } from "../http/route.ts";
import { issueAt, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import { repoAt } from "../state/repos.ts";
import { issueWire } from "../wire/issues.ts";
import { canSee, findIssue, hasAccess, issueNotFound, issuesPath, reading, writing } from "./issue-shared.ts";

const meta = form("IssueMeta", { index: integer("Index"), owner: string("Owner"), repo: string("Name") });
const needs = { ...writing, unarchived: true, body: meta } as const;
const path = `${issuesPath}/{index}/dependencies`;

/** Dependencies of issues and pull requests. */
export const dependencies: Area = {
  routes: [
    get(path, reading, list),
    post(path, needs, (call) =>
      change(call, (issue, other) => {
        const ids = `[issue id: ${issue.id}, dependency id: ${other.id}]`;
        if (issue.dependsOn.includes(other.id)) throw new Refusal(500, `issue dependency does already exist ${ids}`);
        if (issue.id !== other.id && other.dependsOn.includes(issue.id)) {
          throw new Refusal(500, `circular dependencies exists (two issues blocking each other) ${ids}`);
        }
        return [...issue.dependsOn, other.id];
      }),
    ),
    del(path, needs, (call) =>
      change(call, (issue, other) => {
        const ids = `[issue id: ${issue.id}, dependency id: ${other.id}]`;
        if (!issue.dependsOn.includes(other.id)) throw new Refusal(500, `issue dependency does not exist ${ids}`);
        return issue.dependsOn.filter((id) => id !== other.id);
      }),
    ),
  ],
};

function list(call: Call<typeof reading>): Reply {
  const issue = findIssue(call, issueNotFound(call));
  const all = issue.dependsOn.flatMap((id) => call.site.store.table("issues").find((one) => one.id === id) ?? []);
  const page = pageOf(call.query);
  const wires = pageItems(all, page).map((one) => (canSee(call, one) ? issueWire(call, one) : hidden(call, one)));
  return json(200, wires, pageHeaders(call, all.length, page, "total and link"));
}

/** A dependency the caller cannot see, without its contents. */
function hidden(call: Call, issue: IssueRecord): Record<string, unknown> {
  const nothing = { id: 0, url: "", html_url: "", number: 0, user: null, title: "HIDDEN", body: "", labels: [] };
  return { ...issueWire(call, { ...issue, milestoneId: null, assignees: [], pull: null }), ...nothing };
}

/** Changes a dependency and responds with the issue of the path. */
function change(call: Call<typeof needs>, next: (issue: IssueRecord, other: IssueRecord) => readonly number[]): Reply {
  const { site, body } = call;
  const issue = findIssue(call, issueNotFound(call));
  const { owner = "", repo = "", index = 0 } = body;
  const place = repoAt(site.store, owner, repo);
  if (place === undefined) notFound(`repository does not exist [id: 0, uid: 0, owner_name: ${owner}, name: ${repo}]`);
  const other = issueAt(site.store, place.id, index);
  if (other === undefined) notFound(`issue does not exist [id: 0, repo_id: ${place.id}, index: ${index}]`);
  if (!hasAccess(call, issue, "write") || !canSee(call, other)) notFound();
  return json(201, issueWire(call, saveIssue(site.store, { ...issue, dependsOn: next(issue, other) })));
}
