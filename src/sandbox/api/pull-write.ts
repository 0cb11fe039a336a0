import { pullCreate, pullEdit } from "../../forge/pulls.ts";
import { startRunsOnPull } from "../actions/runs.ts";
import { branchTip, commitOf, refsOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { fail, json, notFound, Refusal, refuse, text } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { openPull } from "../pulls/lifecycle.ts";
import { checkNow, mergeBaseOrTip } from "../pulls/mergeability.ts";
import { type Head, resolveHead } from "../pulls/reviews.ts";
import { labelJson } from "../serializers/issues.ts";
import { pullJson } from "../serializers/pulls.ts";
import type { RepoAt } from "../site.ts";
import { changeIssue, openPullsFrom, saveIssue } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { PullRecord } from "../state/records/issues.ts";
import { assigneesOf, endOfDay, resolveAssignees, withState } from "./issues.ts";
import { knownLabels } from "./labels.ts";
import { findPull, requireCode, writing } from "./pulls.ts";
import { requestReviews, resolveReviewers } from "./reviews.ts";

const needs = { ...writing, unarchived: true, partial: true } as const;
type Creation = Call<typeof needs, typeof pullCreate>;

/** Creating and editing pull requests. */
export const pullWriting: Area = [
  route(pullCreate, needs, create),
  route(pullEdit, { ...writing, partial: true }, (call) => edit(call, call.body)),
];

/** Creates a pull request. The checks are in Gitea's order: branches, duplicates, milestone, assignees, reviewers. */
async function create(call: Creation) {
  const { site, repo, currentUser, body } = call;
  requireCode(call);
  const head = await branchesOf(call);
  checkMayOpen(call, head);
  checkNoDuplicate(call, head.repo.id, head.branch, body.base);
  const milestoneId = body.milestone || null;
  if (milestoneId !== null && site.table("milestones").get(milestoneId)?.repoId !== repo.id) notFound();
  const assignees = resolveAssignees(call, assigneesOf(body) ?? []);
  const reviewers = resolveReviewers(call, body.reviewers ?? [], body.team_reviewers ?? []);
  const made = await openPull(call, {
    head,
    base: body.base,
    allowsMaintainers: body.allow_maintainer_edit,
    issue: {
      posterId: currentUser.id,
      title: body.title,
      body: body.body ?? "",
      labels: knownLabels(call, body.labels ?? []),
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
  await startRunsOnPull(site, made, currentUser, "opened");
  // Only this response has the labels in the order of their ids.
  const labels = made.labels.flatMap((id) => site.table("labels").get(id) ?? []);
  return { ...(await pullJson(call, made)), labels: labels.map((label) => labelJson(call, label)) };
}

/** Checks base and head. A base with a suffix is resolved, but then is not a branch. */
async function branchesOf(call: Creation): Promise<Head> {
  const { site, repo, currentUser, body } = call;
  const noBranches = "Invalid PullRequest: base and head must be branches";
  if (body.head === body.base) refuse(422, "Invalid PullRequest: There are no changes between the head and the base");
  const head = resolveHead(site, currentUser, repo, body.head);
  const [, name = "", suffix = ""] = /^(.*?)([~^].*|@\{.*)?$/s.exec(body.base) ?? [];
  if (suffix !== "" && !/^(\^|~\d*)+$/.test(suffix)) refuse(400, `unsupported ref suffix "${suffix}"`);
  const isBase = await kindOf(call, name);
  const isHead = await kindOf({ site, repo: head.repo }, head.branch);
  if (suffix !== "" || isBase !== "branch" || isHead !== "branch") refuse(422, noBranches);
  return head;
}

/** Whether a name is a branch or another ref of a repository. Throws 404 if it does not exist. */
async function kindOf({ site, repo }: RepoAt, name: string): Promise<"branch" | "other"> {
  const missing = `ref "${name}" does not exist`;
  if (repo.empty) notFound(missing);
  const refs = await refsOf({ site, repo });
  if (refs.has(`refs/heads/${name}`)) return "branch";
  const isId = /^[0-9a-f]{7,40}$/.test(name);
  if (refs.has(`refs/tags/${name}`) || (isId && (await commitOf({ site, repo }, name)) !== undefined)) return "other";
  return notFound(missing);
}

/** Throws 403 if the head is in the base repository and the caller is not a collaborator. */
function checkMayOpen({ site, repo, currentUser }: Creation, head: Head): void {
  const isCollaborator = (user: UserRecord) =>
    accessTo(site, user, repo).atLeast("write", "pulls") ||
    site.table("collaborations").get(`${repo.id}/${user.id}`) !== undefined;
  if (head.repo.id === repo.id && !isCollaborator(currentUser)) refuse(403, "user must be a collaborator");
}

/** Throws 409 if an open pull request has the same branches. */
function checkNoDuplicate({ site, repo }: RepoAt, headRepoId: number, head: string, base: string): void {
  const known = openPullsFrom(site.store, headRepoId, head).find(
    (one) => one.repoId === repo.id && one.pull.base === base,
  );
  if (known === undefined) return;
  const ids = `id: ${known.pull.id}, issue_id: ${known.index}, head_repo_id: ${headRepoId}, base_repo_id: ${repo.id}`;
  refuse(409, `pull request already exists for these targets [${ids}, head_branch: ${head}, base_branch: ${base}]`);
}

type Body = BodyOf<typeof pullEdit>;
type Edit = Call<typeof writing>;

/** Edits the fields in Gitea's order. Changes made before a refusal are kept. */
async function edit(call: Edit, body: Body) {
  const { site, currentUser } = call;
  const pull = findPull(call);
  const mayWrite = call.access.atLeast("write", "pulls");
  if (pull.posterId !== currentUser.id && !mayWrite) throw new Refusal(403, "", "none");
  if (body.content_version !== undefined && body.content_version !== pull.content_version) {
    refuse(409, "the issue is already changed");
  }
  let now = withTexts(call, pull, body);
  if (body.unset_due_date === false && body.due_date === undefined)
    return text(500, "Internal Server Error", "text/plain; charset=utf-8");
  if (body.due_date !== undefined || body.unset_due_date !== undefined) {
    const due_date = body.unset_due_date || body.due_date === undefined ? null : endOfDay(body.due_date);
    now = changeIssue(site, now, { due_date });
  }
  if (mayWrite) now = withPeople(call, now, body);
  if (body.state !== undefined) now = await withState(call, now, body.state);
  if (body.base && body.base !== now.pull.base && now.pull.merged === null) now = await withBase(call, now, body.base);
  if (body.allow_maintainer_edit !== undefined) now = withMaintainers(call, now, body.allow_maintainer_edit);
  return json(201, await pullJson(call, now));
}

function withTexts({ site }: Edit, pull: PullRecord, { title, body }: Body): PullRecord {
  const named = title && title !== pull.title ? changeIssue(site, pull, { title }) : pull;
  if (body === undefined) return named;
  return changeIssue(site, named, { body, content_version: pull.content_version + 1 });
}

function withPeople({ site, repo }: Edit, before: PullRecord, body: Body): PullRecord {
  let now = before;
  const names = assigneesOf(body);
  if (names !== undefined) {
    now = changeIssue(site, now, { assignees: resolveAssignees({ site, repo }, names) });
  }
  if (body.milestone && body.milestone !== now.milestoneId) {
    const known = site.table("milestones").get(body.milestone)?.repoId === repo.id;
    if (!known) fail(`milestone does not exist [id: ${body.milestone}, repo_id: ${repo.id}]`);
    now = changeIssue(site, now, { milestoneId: body.milestone });
  }
  if (body.labels !== undefined) {
    now = changeIssue(site, now, { labels: knownLabels({ site, repo }, body.labels) });
  }
  return now;
}

async function withBase({ site, repo }: Edit, pull: PullRecord, base: string): Promise<PullRecord> {
  const tip = await branchTip({ site, repo }, base);
  if (tip === undefined) notFound(`new base '${base}' not exist`);
  if (pull.state === "closed") {
    refuse(422, `Pull Request [id: ${pull.pull.id}, repo_id: ${repo.id}, index: ${pull.index}] is already closed`);
  }
  checkNoDuplicate({ site, repo }, pull.pull.headRepoId ?? 0, pull.pull.head, base);
  const mergeBase = await mergeBaseOrTip({ site, repo }, tip, pull.pull.headSha);
  return checkNow(site, changeIssue(site, pull, { pull: { ...pull.pull, base, mergeBase } }));
}

function withMaintainers({ site, currentUser }: Edit, pull: PullRecord, allowsMaintainers: boolean): PullRecord {
  const head = site.table("repos").get(pull.pull.headRepoId);
  if (head === undefined || !accessTo(site, currentUser, head).atLeast("write", "code")) {
    refuse(403, "SetAllowEdits: user not allowed to do this action");
  }
  return saveIssue(site.store, { ...pull, pull: { ...pull.pull, allowsMaintainers } });
}
