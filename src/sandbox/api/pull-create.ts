import type { CreatePullRequestOption } from "../../forge/generated/operations.ts";
import { pullCreate } from "../../forge/pulls.ts";
import { commitOf, refsOf } from "../git/refs.ts";
import { accessTo, refuseBlocked } from "../http/access.ts";
import { fail, json, notFound, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { openPull } from "../pulls/lifecycle.ts";
import { type Head, resolveHead } from "../pulls/reviews.ts";
import { labelJson } from "../serializers/issues.ts";
import { pullJson } from "../serializers/pulls.ts";
import { openPullsFrom } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { knownLabels, resolveAssignees } from "./issue-shared.ts";
import { keepPartialChanges, requireCode, writing } from "./pull-shared.ts";
import { requestReviews, resolveReviewers } from "./review-requests.ts";

const needs = { ...writing, unarchived: true } as const;
type Creation = Call<typeof needs, CreatePullRequestOption>;

/** Creating pull requests. */
export const pullCreation: Area = {
  routes: [route(pullCreate, needs, (call) => keepPartialChanges(call, () => create(call)))],
};

/** Creates a pull request. The checks are in Gitea's order: branches, duplicates, milestone, assignees, reviewers. */
async function create(call: Creation): Promise<Reply> {
  const { site, repo, currentUser, body } = call;
  requireCode(call);
  refuseBlocked(call, repo.ownerId);
  const head = await branchesOf(call);
  checkMayOpen(call, head);
  checkNoDuplicate(call, head);
  const milestoneId = body.milestone ? checkMilestone(call, body.milestone) : null;
  const assignees = resolveAssignees(site, repo, [
    ...(body.assignees ?? []),
    ...(body.assignee ? [body.assignee] : []),
  ]);
  const reviewers = resolveReviewers(call, body.reviewers ?? [], body.team_reviewers ?? []);
  const made = await openPull(site, repo, {
    head,
    base: body.base,
    allowsMaintainers: body.allow_maintainer_edit,
    issue: {
      posterId: currentUser.id,
      title: body.title,
      body: body.body ?? "",
      labels: knownLabels(site, repo, body.labels ?? []),
      milestoneId,
      assignees,
      due_date: body.due_date === undefined ? null : timestamp(body.due_date),
    },
  });
  if (reviewers.people.some(({ id }) => id === currentUser.id)) {
    fail(`poster of pr can't be reviewer [user_id: ${currentUser.id}, repo_id: ${repo.id}]`);
  }
  const unauthorized = reviewers.people.find((user) => !accessTo(site, user, repo).atLeast("read", "pulls"));
  if (unauthorized) fail(`Reviewer can't read [user_id: ${unauthorized.id}, repo_id: ${repo.id}]`);
  requestReviews(site, made, reviewers);
  for (const area of site.areas) await area.pullOpened?.(site, made, currentUser, "opened");
  // Only this response has the labels in the order of their ids.
  const labels = made.labels.flatMap((id) => site.table("labels").get(id) ?? []);
  return json(201, { ...(await pullJson(call, made)), labels: labels.map((label) => labelJson(call, label)) });
}

/** Checks base and head. A base with a suffix is resolved, but then is not a branch. */
async function branchesOf(call: Creation): Promise<Head> {
  const { site, repo, currentUser, body } = call;
  const noBranches = "Invalid PullRequest: base and head must be branches";
  if (body.head === body.base) refuse(422, "Invalid PullRequest: There are no changes between the head and the base");
  const head = resolveHead(site, currentUser, repo, body.head);
  const [, name = "", suffix = ""] = /^(.*?)([~^].*|@\{.*)?$/s.exec(body.base) ?? [];
  if (suffix !== "" && !/^(\^|~\d*)+$/.test(suffix)) refuse(400, `unsupported ref suffix "${suffix}"`);
  const isBase = await kindOf(site, repo, name);
  const isHead = await kindOf(site, head.repo, head.branch);
  if (suffix !== "" || isBase !== "branch" || isHead !== "branch") refuse(422, noBranches);
  return head;
}

/** Whether a name is a branch or another ref of a repository. Throws 404 if it does not exist. */
async function kindOf(site: Creation["site"], repo: RepoRecord, name: string): Promise<"branch" | "other"> {
  const missing = `ref "${name}" does not exist`;
  if (repo.empty) notFound(missing);
  const refs = await refsOf(site, repo);
  if (refs.has(`refs/heads/${name}`)) return "branch";
  const isId = /^[0-9a-f]{7,40}$/.test(name);
  if (refs.has(`refs/tags/${name}`) || (isId && (await commitOf(site, repo, name)) !== undefined)) return "other";
  return notFound(missing);
}

/** Throws 403 if the head is in the base repository and the caller is not a collaborator. */
function checkMayOpen({ site, repo, currentUser }: Creation, head: Head): void {
  const isCollaborator = (user: UserRecord) =>
    accessTo(site, user, repo).atLeast("write", "pulls") ||
    site.table("collaborations").get(`${repo.id}/${user.id}`) !== undefined;
  if (head.repo.id === repo.id && !isCollaborator(currentUser)) refuse(403, "user must be a collaborator");
}

function checkNoDuplicate({ site, repo, body }: Creation, head: Head): void {
  const known = openPullsFrom(site.store, head.repo.id, head.branch).find(
    (one) => one.repoId === repo.id && one.pull.base === body.base,
  );
  if (known !== undefined) refuse(409, duplicateMessage(known));
}

/** The error message for a second pull request with the same branches. */
export function duplicateMessage({ index, repoId, pull }: PullRecord): string {
  const ids = `id: ${pull.id}, issue_id: ${index}, head_repo_id: ${pull.headRepoId ?? 0}, base_repo_id: ${repoId}`;
  return `pull request already exists for these targets [${ids}, head_branch: ${pull.head}, base_branch: ${pull.base}]`;
}

function checkMilestone({ site, repo }: Creation, id: number): number {
  return site.table("milestones").get(id)?.repoId === repo.id ? id : notFound();
}
