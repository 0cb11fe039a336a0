import type { IssueAssigneesOption, IssueLabelsOption } from "../../forge/generated/operations.ts";
import { issueAssigneeAdd, issueAssigneeRemove } from "../../forge/issues.ts";
import { issueLabelAdd, issueLabelRemove } from "../../forge/labels.ts";
import { issueLabelClear, issueLabelList, issueLabelReplace } from "../http/other-operations.ts";
import { empty, found, json, listed, Refusal, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { issueJson, labelJson, labelsOf } from "../serializers/issues.ts";
import { userNamed } from "../state/accounts.ts";
import { saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import type { LabelRecord } from "../state/records/repos.ts";
import { findIssue, hasAccess, issueNotFound, reading, withChanges, withLabels, writing } from "./issue-shared.ts";

/** Operations on labels and assignees of issues and pull requests. */
export const issueLabels: Area = {
  routes: [
    route(issueLabelList, reading, (call) => labelsReply(call, findIssue(call))),
    route(issueLabelAdd, writing, (call) => relabel(call, (before) => before)),
    route(issueLabelReplace, writing, (call) => relabel(call, () => [])),
    route(issueLabelClear, writing, (call) => {
      save(call, findWritableIssue(call, "none"), { labels: [] });
      return empty(204);
    }),
    route(issueLabelRemove, writing, (call) => {
      const issue = findWritableIssue(call, "none");
      const label = findLabel(call);
      save(call, issue, { labels: issue.labels.filter((id) => id !== label.id) });
      return empty(204);
    }),
    route(issueAssigneeAdd, writing, (call) => {
      const { before, given } = assigneeChange(call);
      return json(
        201,
        issueJson(call, save(call, before, { assignees: [...new Set([...before.assignees, ...given])] })),
      );
    }),
    route(issueAssigneeRemove, writing, (call) => {
      const { before, given } = assigneeChange(call);
      const left = before.assignees.filter((id) => !given.includes(id));
      return json(200, issueJson(call, save(call, before, { assignees: left })));
    }),
  ],
};

/** Throws 403 without write access, in some operations without a body. */
function findWritableIssue(call: Call<typeof writing>, form: "message" | "none" = "message"): IssueRecord {
  const issue = findIssue(call);
  if (hasAccess(call, issue, "write")) return issue;
  throw new Refusal(403, "write permission is required", form);
}

function save(call: Call, issue: IssueRecord, fields: Partial<IssueRecord>): IssueRecord {
  return saveIssue(call.site.store, withChanges(call.site, issue, fields));
}

function availableLabels({ site, repo }: Call<typeof reading>): LabelRecord[] {
  const isHere = (label: LabelRecord) => label.repoId === repo.id || label.orgId === repo.ownerId;
  return site.table("labels").filter(isHere);
}

/** Finds a label by id. Its name is none. */
function findLabel(call: Call<typeof reading>): LabelRecord {
  const id = call.number("id");
  const label = availableLabels(call).find((label) => label.id === id);
  return found(label, `label does not exist [label_id: ${id}, repo_id: ${call.repo.id}]`);
}

/** Adds labels to those of `kept`, given as ids or names but not both. Unknown labels are ignored. */
function relabel(
  call: Call<typeof writing, IssueLabelsOption>,
  kept: (before: readonly number[]) => readonly number[],
): Reply {
  const issue = findWritableIssue(call);
  const asked = (call.body.labels ?? []).map((value) => (typeof value === "number" ? Math.trunc(value) : value));
  const kinds = new Set(asked.map((value) => typeof value));
  if ([...kinds].some((kind) => kind !== "string" && kind !== "number")) {
    refuse(400, "a label must be an integer or a string");
  }
  if (kinds.size > 1) refuse(400, "labels should be an array of strings or integers");
  const given = availableLabels(call).filter((label) => asked.includes(label.id) || asked.includes(label.name));
  const added = given.map(({ id }) => id);
  return labelsReply(call, save(call, issue, { labels: withLabels(call.site, kept(issue.labels), added) }));
}

function labelsReply(call: Call<typeof reading>, issue: IssueRecord): Reply {
  return listed(call, labelsOf(call, issue), labelJson);
}

function assigneeChange(call: Call<typeof writing, IssueAssigneesOption>): {
  readonly before: IssueRecord;
  readonly given: readonly number[];
} {
  const before = findIssue(call, issueNotFound(call));
  if (!hasAccess(call, before, "write")) throw new Refusal(403, "", "none");
  const given = (call.body.assignees ?? []).map((name) => {
    const user = userNamed(call.site.store, name);
    if (user === undefined) throw new Refusal(422, `user does not exist [uid: 0, name: ${name}]`);
    return user.id;
  });
  return { before, given };
}
