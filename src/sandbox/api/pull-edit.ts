import type { EditPullRequestOption } from "../../forge/generated/operations.ts";
import { pullEdit } from "../../forge/pulls.ts";
import { branchTip } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import type { Sent } from "../http/form.ts";
import { fail, json, notFound, Refusal, type Reply, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { reopenPull } from "../pulls/lifecycle.ts";
import { checkNow, mergeBaseOrTip } from "../pulls/mergeability.ts";
import { pullJson } from "../serializers/pulls.ts";
import { openPullsFrom, saveIssue } from "../state/issues.ts";
import type { PullRecord } from "../state/records/issues.ts";
import { closeIssue, endOfDay, knownLabels, resolveAssignees, withChanges } from "./issue-shared.ts";
import { duplicateMessage } from "./pull-create.ts";
import { findPull, keepPartialChanges, writing } from "./pull-shared.ts";

type Body = Sent<EditPullRequestOption>;
type Edit = Call<typeof writing>;

/** Editing pull requests. */
export const pullEditing: Area = {
  routes: [route(pullEdit, writing, (call) => keepPartialChanges(call, () => edit(call, call.body)))],
};

/** Edits the fields in Gitea's order. Changes made before a refusal are kept. */
async function edit(call: Edit, body: Body): Promise<Reply> {
  const { site, currentUser } = call;
  const pull = findPull(call);
  const mayWrite = call.access.atLeast("write", "pulls");
  if (pull.posterId !== currentUser.id && !mayWrite) throw new Refusal(403, "", "none");
  if (body.content_version !== undefined && body.content_version !== pull.content_version) {
    refuse(409, "the issue is already changed");
  }
  let now = saveIssue(site.store, withTexts(call, pull, body));
  if (body.unset_due_date === false && body.due_date === undefined)
    return text(500, "Internal Server Error", "text/plain; charset=utf-8");
  if (body.due_date !== undefined || body.unset_due_date !== undefined) {
    const due_date = body.unset_due_date || body.due_date === undefined ? null : endOfDay(body.due_date);
    now = saveIssue(site.store, withChanges(site, now, { due_date }));
  }
  if (mayWrite) now = withPeople(call, now, body);
  if (body.state !== undefined) now = await withState(call, now, body.state);
  if (body.base && body.base !== now.pull.base && now.pull.merged === null) now = await withBase(call, now, body.base);
  if (body.allow_maintainer_edit !== undefined) now = withMaintainers(call, now, body.allow_maintainer_edit);
  return json(201, await pullJson(call, now));
}

function withTexts({ site }: Edit, pull: PullRecord, { title, body }: Body): PullRecord {
  const named = title && title !== pull.title ? withChanges(site, pull, { title }) : pull;
  if (body === undefined) return named;
  return withChanges(site, named, { body, content_version: pull.content_version + 1 });
}

function withPeople({ site, repo }: Edit, before: PullRecord, body: Body): PullRecord {
  let now = before;
  if (body.assignees !== undefined || body.assignee) {
    const names = [...(body.assignees ?? []), ...(body.assignee ? [body.assignee] : [])];
    now = saveIssue(site.store, withChanges(site, now, { assignees: resolveAssignees(site, repo, names) }));
  }
  if (body.milestone && body.milestone !== now.milestoneId) {
    const known = site.table("milestones").get(body.milestone)?.repoId === repo.id;
    if (!known) fail(`milestone does not exist [id: ${body.milestone}, repo_id: ${repo.id}]`);
    now = saveIssue(site.store, withChanges(site, now, { milestoneId: body.milestone }));
  }
  if (body.labels !== undefined) {
    now = saveIssue(site.store, withChanges(site, now, { labels: knownLabels(site, repo, body.labels) }));
  }
  return now;
}

async function withState({ site, currentUser }: Edit, pull: PullRecord, state: string): Promise<PullRecord> {
  if (pull.pull.merged !== null) refuse(412, "cannot change state of this pull request, it was already merged");
  if (state === "closed") return closeIssue(site, pull);
  if (state !== "open") refuse(412, `unknown state: ${state}`);
  if (pull.state === "open") return pull;
  const open = await reopenPull(site, pull);
  for (const area of site.areas) await area.pullOpened?.(site, open, currentUser, "reopened");
  return open;
}

async function withBase({ site, repo }: Edit, pull: PullRecord, base: string): Promise<PullRecord> {
  const tip = await branchTip(site, repo, base);
  if (tip === undefined) notFound(`new base '${base}' not exist`);
  if (pull.state === "closed") {
    refuse(422, `Pull Request [id: ${pull.pull.id}, repo_id: ${repo.id}, index: ${pull.index}] is already closed`);
  }
  const known = openPullsFrom(site.store, pull.pull.headRepoId ?? 0, pull.pull.head).find(
    (one) => one.repoId === repo.id && one.pull.base === base,
  );
  if (known !== undefined) refuse(409, duplicateMessage(known));
  const mergeBase = await mergeBaseOrTip(site, repo, tip, pull.pull.headSha);
  return checkNow(site, withChanges(site, pull, { pull: { ...pull.pull, base, mergeBase } }));
}

function withMaintainers({ site, currentUser }: Edit, pull: PullRecord, allowsMaintainers: boolean): PullRecord {
  const head = pull.pull.headRepoId === null ? undefined : site.table("repos").get(pull.pull.headRepoId);
  if (head === undefined || !accessTo(site, currentUser, head).atLeast("write", "code")) {
    refuse(403, "SetAllowEdits: user not allowed to do this action");
  }
  return saveIssue(site.store, { ...pull, pull: { ...pull.pull, allowsMaintainers } });
}
