import { milestoneCreate, milestoneDelete, milestoneEdit, milestoneList } from "../../forge/milestones.ts";
import { collection } from "../http/collection.ts";
import { found } from "../http/reply.ts";
import { type Area, type Call, other } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { milestoneJson } from "../serializers/issues.ts";
import { saveIssue } from "../state/issues.ts";
import { by } from "../state/order.ts";
import type { MilestoneRecord } from "../state/records/repos.ts";

const read = { repo: "any" } as const;
const write = { repo: "any", signedIn: true, right: "write" } as const;

/** An unknown state means open. */
const stateOf = (state: string | undefined, closed_at: string | null) =>
  state === "closed" ? ({ state, closed_at } as const) : ({ state: "open", closed_at: null } as const);

/**
 * Milestones, by id or title. In an edit, an omitted due date is cleared, a given one is set to the end of the day, and an
 * unknown state means open.
 */
export const milestones: Area = [
  collection({
    table: "milestones",
    needs: { read, write },
    get: other("GET /repos/{owner}/{repo}/milestones/{id}"),
    list: [milestoneList, list],
    headers: "total",
    serialize: milestoneJson,
    find(call) {
      const [id, text] = [call.number("id"), call.param("id")];
      return found(milestonesOf(call).find((milestone) => (id > 0 ? milestone.id === id : milestone.title === text)));
    },
    create: [
      milestoneCreate,
      ({ site, repo }, { due_on, state, ...body }) => {
        const now = site.now();
        const texts = { title: "", description: "", ...body, created_at: now, updated_at: now };
        const due = due_on === undefined ? null : timestamp(due_on);
        return site.table("milestones").add({ repoId: repo.id, ...texts, ...stateOf(state, now), due_on: due });
      },
    ],
    edit: [
      milestoneEdit,
      ({ site }, before, { title, due_on, state = before.state, ...body }) => {
        const now = site.now();
        const ended = stateOf(state, before.closed_at ?? now);
        const due = due_on === undefined ? null : `${due_on.slice(0, 10)}T23:59:59Z`;
        const next = { ...before, ...body, title: title || before.title, ...ended };
        return site.table("milestones").put({ ...next, due_on: due, updated_at: now });
      },
    ],
    remove: [
      milestoneDelete,
      ({ site: { store } }, { id }) => {
        for (const issue of store.table("issues").filter(({ milestoneId }) => milestoneId === id))
          saveIssue(store, { ...issue, milestoneId: null });
      },
    ],
  }),
];

/** Lists milestones (default: open), sorted by due date, those without one first, then by title. */
function list(call: Call<typeof read>): MilestoneRecord[] {
  const state = call.query.get("state") || "open";
  const name = (call.query.get("name") ?? "").toLowerCase();
  return milestonesOf(call)
    .filter((milestone) => state === "all" || milestone.state === (state === "closed" ? "closed" : "open"))
    .filter((milestone) => milestone.title.toLowerCase().includes(name))
    .sort(by(({ due_on }) => due_on ?? "", "title", "id"));
}

function milestonesOf({ site, repo }: Call<typeof read>): MilestoneRecord[] {
  return site.table("milestones").filter((milestone) => milestone.repoId === repo.id);
}
