import { form, strings, values } from "../http/form.ts";
import { empty, found, json, notFound, Refusal, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, post, put } from "../http/route.ts";
import { userNamed } from "../state/accounts.ts";
import { saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import type { LabelRecord } from "../state/records/repos.ts";
import { issueWire, labelsOf, labelWire } from "../wire/issues.ts";
import { findIssue, hasAccess, issueNotFound, issuesPath, reading, withChanges, writing } from "./issue-shared.ts";

const labelsOption = form("IssueLabelsOption", { labels: values("Labels") });
const assigneesOption = form("IssueAssigneesOption", { assignees: strings("Assignees") });
const labelling = { ...writing, body: labelsOption } as const;
const assigning = { ...writing, body: assigneesOption } as const;
const labels = `${issuesPath}/{index}/labels`;
const assignees = `${issuesPath}/{index}/assignees`;

/** Operations on labels and assignees of issues and pull requests. */
export const issueLabels: Area = {
  routes: [
    get(labels, reading, (call) => labelsReply(call, findIssue(call))),
    post(labels, labelling, (call) => relabel(call, (before, given) => [...new Set([...before, ...given])])),
    put(labels, labelling, (call) => relabel(call, (_before, given) => given)),
    del(labels, writing, (call) => {
      save(call, findWritableIssue(call), { labels: [] });
      return empty(204);
    }),
    del(`${labels}/{id}`, writing, (call) => {
      const issue = findWritableIssue(call);
      const label = findLabel(call, call.param("id"));
      save(call, issue, { labels: issue.labels.filter((id) => id !== label.id) });
      return empty(204);
    }),
    post(assignees, assigning, (call) => {
      const { before, given } = assigneeChange(call);
      return json(
        201,
        issueWire(call, save(call, before, { assignees: [...new Set([...before.assignees, ...given])] })),
      );
    }),
    del(assignees, assigning, (call) => {
      const { before, given } = assigneeChange(call);
      const left = before.assignees.filter((id) => !given.includes(id));
      return json(200, issueWire(call, save(call, before, { assignees: left })));
    }),
  ],
};

function findWritableIssue(call: Call<typeof writing>): IssueRecord {
  const issue = findIssue(call);
  return hasAccess(call, issue, "write") ? issue : refuse(403, "write permission is required");
}

function save(call: Call, issue: IssueRecord, fields: Partial<IssueRecord>): IssueRecord {
  return saveIssue(call.site.store, withChanges(call.site, issue, fields));
}

function availableLabels({ site, repo }: Call<typeof reading>): LabelRecord[] {
  const isHere = (label: LabelRecord) => label.repoId === repo.id || label.orgId === repo.ownerId;
  return site.store.table("labels").filter(isHere);
}

/** Finds a label by id or by name. */
function findLabel(call: Call<typeof reading>, text: string): LabelRecord {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  const label = availableLabels(call).find((label) => (id > 0 ? label.id === id : label.name === text));
  return found(label, `label does not exist [label_id: ${id}, repo_id: ${call.repo.id}]`);
}

/** Changes labels, given as ids or names but not both. Unknown labels are ignored. */
function relabel(
  call: Call<typeof labelling>,
  next: (before: readonly number[], given: readonly number[]) => number[] | readonly number[],
): Reply {
  const issue = findWritableIssue(call);
  const asked = call.body.labels ?? [];
  const kinds = new Set(asked.map((value) => typeof value));
  if (kinds.size > 1 || [...kinds].some((kind) => kind !== "string" && kind !== "number")) {
    refuse(400, "a label must be an integer or a string");
  }
  const given = availableLabels(call).filter((label) => asked.includes(label.id) || asked.includes(label.name));
  return labelsReply(
    call,
    save(call, issue, {
      labels: next(
        issue.labels,
        given.map(({ id }) => id),
      ),
    }),
  );
}

function labelsReply(call: Call<typeof reading>, issue: IssueRecord): Reply {
  return json(
    200,
    labelsOf(call, issue).map((label) => labelWire(call, label)),
  );
}

function assigneeChange(call: Call<typeof assigning>): {
  readonly before: IssueRecord;
  readonly given: readonly number[];
} {
  const before = findIssue(call, issueNotFound(call));
  if (!hasAccess(call, before, "write")) notFound();
  const given = (call.body.assignees ?? []).map((name) => {
    const user = userNamed(call.site.store, name);
    if (user === undefined) throw new Refusal(422, `user does not exist [uid: 0, name: ${name}]`);
    return user.id;
  });
  return { before, given };
}
