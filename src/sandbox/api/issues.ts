import type {
  CreateIssueOption,
  EditIssueOption,
  IssueAssigneesOption,
  IssueLabelsOption,
} from "../../forge/generated/operations.ts";
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
import { issueLabelClear, issueLabelList, issueLabelReplace } from "../http/other-operations.ts";
import { empty, fail, json, listed, notFound, Refusal, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { issueJson, labelJson, labelsOf } from "../serializers/issues.ts";
import { userNamed } from "../state/accounts.ts";
import { changeIssue, closeIssue, newIssue, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import {
  assigneesOf,
  availableLabels,
  endOfDay,
  findIssue,
  hasAccess,
  issueNotFound,
  knownLabels,
  reading,
  resolveAssignees,
  withLabels,
  withState,
  writing,
} from "./issue-shared.ts";
import { keepPartialChanges } from "./pull-shared.ts";

const creation = { ...writing, unarchived: true } as const;
const asAdmin = { ...writing, right: "admin" } as const;

/** Issues, with the labels and assignees of pull requests. Templates are not read: every repository has none. */
export const issues: Area = {
  routes: [
    route(issueCreate, creation, create),
    route(issueTemplateList, reading, () => json(200, null)),
    route(issueConfigGet, reading, () => json(200, { blank_issues_enabled: true, contact_links: [] })),
    route(issueConfigValidate, reading, () => json(200, { valid: true, message: "" })),
    route(issueGet, reading, (call) => json(200, issueJson(call, findIssue(call)))),
    route(issueDelete, asAdmin, remove),
    route(issueLock, asAdmin, (call) => lock(call, true)),
    route(issueUnlock, asAdmin, (call) => lock(call, false)),
    route(issueEdit, writing, (call) => keepPartialChanges(call, () => edit(call))),
    route(issueLabelList, reading, (call) => labelsReply(call, findIssue(call))),
    route(issueLabelAdd, writing, (call) => relabel(call, findWritable(call).labels)),
    route(issueLabelReplace, writing, (call) => relabel(call, [])),
    route(issueLabelClear, writing, (call) => {
      changeIssue(call.site, findWritable(call, "none"), { labels: [] });
      return empty(204);
    }),
    route(issueLabelRemove, writing, (call) => {
      const [issue, id] = [findWritable(call, "none"), call.number("id")];
      const known = availableLabels(call.site, call.repo).some((label) => label.id === id);
      if (!known) notFound(`label does not exist [label_id: ${id}, repo_id: ${call.repo.id}]`);
      changeIssue(call.site, issue, { labels: issue.labels.filter((one) => one !== id) });
      return empty(204);
    }),
    route(issueAssigneeAdd, writing, (call) => {
      const { before, given } = assigneeChange(call);
      const assignees = [...new Set([...before.assignees, ...given])];
      return json(201, issueJson(call, changeIssue(call.site, before, { assignees })));
    }),
    route(issueAssigneeRemove, writing, (call) => {
      const { before, given } = assigneeChange(call);
      const assignees = before.assignees.filter((id) => !given.includes(id));
      return json(200, issueJson(call, changeIssue(call.site, before, { assignees })));
    }),
  ],
};

/** Creates an issue. Labels, milestone and assignees are ignored without write access. */
function create(call: Call<typeof creation, CreateIssueOption>): Reply {
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
  return json(201, issueJson(call, body.closed ? closeIssue(site, issue) : issue));
}

/** Deletes an issue with its comments. */
function remove(call: Call<typeof asAdmin>): Reply {
  const { store } = call.site;
  const issue = findIssue(call, issueNotFound(call));
  for (const table of ["comments", "attachments"] as const)
    store.table(table).remove(({ repoId, index }) => repoId === issue.repoId && index === issue.index);
  store.table("issues").delete(`${issue.repoId}/${issue.index}`);
  return empty(204);
}

function lock(call: Call<typeof asAdmin>, is_locked: boolean): Reply {
  saveIssue(call.site.store, { ...findIssue(call, issueNotFound(call)), is_locked });
  return empty(204);
}

/** Edits an issue. `milestone: 0` clears the milestone here, but not in the edit operation of pull requests. */
async function edit(call: Call<typeof writing, EditIssueOption>): Promise<Reply> {
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
function relabel(call: Call<typeof writing, IssueLabelsOption>, kept: readonly number[]): Reply {
  const issue = findWritable(call);
  const asked = (call.body.labels ?? []).map((value) => (typeof value === "number" ? Math.trunc(value) : value));
  const kinds = new Set(asked.map((value) => typeof value));
  if ([...kinds].some((kind) => kind !== "string" && kind !== "number"))
    refuse(400, "a label must be an integer or a string");
  if (kinds.size > 1) refuse(400, "labels should be an array of strings or integers");
  const given = availableLabels(call.site, call.repo).filter(
    ({ id, name }) => asked.includes(id) || asked.includes(name),
  );
  const added = given.map(({ id }) => id);
  return labelsReply(call, changeIssue(call.site, issue, { labels: withLabels(call.site, kept, added) }));
}

function labelsReply(call: Call<typeof reading>, issue: IssueRecord): Reply {
  return listed(call, labelsOf(call, issue), labelJson);
}

function assigneeChange(call: Call<typeof writing, IssueAssigneesOption>) {
  const before = findIssue(call, issueNotFound(call));
  if (!hasAccess(call, before, "write")) throw new Refusal(403, "", "none");
  const given = (call.body.assignees ?? []).map(
    (name) => userNamed(call.site.store, name)?.id ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`),
  );
  return { before, given };
}
