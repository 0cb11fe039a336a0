import { form, string, time } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import type { MilestoneRecord } from "../state/records/repos.ts";
import { milestoneWire } from "../wire/issues.ts";
import { timestamp } from "../wire/values.ts";

const fields = {
  title: string("Title"),
  description: string("Description"),
  due_on: time("Deadline"),
  state: string("State"),
};
const createOption = form("CreateMilestoneOption", fields);
const editOption = form("EditMilestoneOption", fields);
const read = { repo: "any" } as const;
const write = { repo: "any", signedIn: true, right: "write" } as const;
const editing = { ...write, body: editOption } as const;
const base = "/repos/{owner}/{repo}/milestones";

/** Milestones, by id or title. */
export const milestones: Area = {
  routes: [
    get(base, read, list),
    post(base, { ...write, body: createOption }, (call) => {
      const { site, repo, body } = call;
      const now = site.now();
      const isClosed = body.state === "closed";
      const milestone = site.store.table("milestones").add({
        repoId: repo.id,
        title: body.title ?? "",
        description: body.description ?? "",
        state: isClosed ? "closed" : "open",
        created_at: now,
        updated_at: now,
        closed_at: isClosed ? now : null,
        due_on: body.due_on === undefined ? null : timestamp(body.due_on),
      });
      return json(201, milestoneWire(call, milestone));
    }),
    get(`${base}/{id}`, read, (call) => json(200, milestoneWire(call, findMilestone(call)))),
    patch(`${base}/{id}`, editing, edit),
    del(`${base}/{id}`, write, (call) => {
      const milestone = findMilestone(call);
      for (const area of call.site.areas) area.milestoneDeleted?.(call.site, milestone);
      call.site.store.table("milestones").delete(milestone.id);
      return empty(204);
    }),
  ],
};

/** Lists milestones (default: open), sorted by due date, those without one first, then by title. */
function list(call: Call<typeof read>) {
  const state = call.query.get("state") || "open";
  const name = (call.query.get("name") ?? "").toLowerCase();
  const fitting = milestonesOf(call)
    .filter((milestone) => state === "all" || milestone.state === (state === "closed" ? "closed" : "open"))
    .filter((milestone) => milestone.title.toLowerCase().includes(name))
    .sort(compare);
  return listReply(call, fitting, (milestone) => milestoneWire(call, milestone), "total");
}

function compare(one: MilestoneRecord, other: MilestoneRecord): number {
  const keyOf = ({ due_on, title }: MilestoneRecord) => `${due_on ?? ""} ${title}`;
  return keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : one.id - other.id;
}

function milestonesOf({ site, repo }: Call<typeof read>): MilestoneRecord[] {
  return site.store.table("milestones").filter((milestone) => milestone.repoId === repo.id);
}

function findMilestone(call: Call<typeof read>): MilestoneRecord {
  const [id, text] = [call.number("id"), call.param("id")];
  return found(milestonesOf(call).find((milestone) => (id > 0 ? milestone.id === id : milestone.title === text)));
}

/**
 * Edits a milestone. An omitted due date is cleared, a given one is set to the end of the day, and an unknown state
 * means open.
 */
function edit(call: Call<typeof editing>) {
  const { site, body } = call;
  const before = findMilestone(call);
  const state = body.state === undefined ? before.state : body.state === "closed" ? "closed" : "open";
  const next: MilestoneRecord = {
    ...before,
    title: body.title || before.title,
    description: body.description ?? before.description,
    due_on: body.due_on === undefined ? null : `${body.due_on.slice(0, 10)}T23:59:59Z`,
    state,
    closed_at: state === "open" ? null : before.state === "closed" ? before.closed_at : site.now(),
    updated_at: site.now(),
  };
  return json(200, milestoneWire(call, site.store.table("milestones").put(next)));
}
