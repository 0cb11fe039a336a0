import { milestoneCreate, milestoneDelete, milestoneEdit, milestoneList } from "../../forge/milestones.ts";
import { collection } from "../http/collection.ts";
import { milestoneGet } from "../http/other-operations.ts";
import { found } from "../http/reply.ts";
import type { Area, Call } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { milestoneJson } from "../serializers/issues.ts";
import type { MilestoneRecord } from "../state/records/repos.ts";

const read = { repo: "any" } as const;
const write = { repo: "any", signedIn: true, right: "write" } as const;

/**
 * Milestones, by id or title. In an edit, an omitted due date is cleared, a given one is set to the end of the day, and an
 * unknown state means open.
 */
export const milestones: Area = {
  routes: [
    collection(
      "milestones",
      { read, write },
      {
        get: milestoneGet,
        list: [milestoneList, list],
        headers: "total",
        serialize: milestoneJson,
        find(call) {
          const [id, text] = [call.number("id"), call.param("id")];
          return found(
            milestonesOf(call).find((milestone) => (id > 0 ? milestone.id === id : milestone.title === text)),
          );
        },
        create: [
          milestoneCreate,
          ({ site, repo }, { due_on, state, ...body }) => {
            const now = site.now();
            const isClosed = state === "closed";
            return site.table("milestones").add({
              repoId: repo.id,
              title: "",
              description: "",
              ...body,
              state: isClosed ? "closed" : "open",
              created_at: now,
              updated_at: now,
              closed_at: isClosed ? now : null,
              due_on: due_on === undefined ? null : timestamp(due_on),
            });
          },
        ],
        edit: [
          milestoneEdit,
          ({ site }, before, { title, due_on, state = before.state, ...body }) => {
            const isOpen = state !== "closed";
            return site.table("milestones").put({
              ...before,
              ...body,
              title: title || before.title,
              state: isOpen ? "open" : "closed",
              due_on: due_on === undefined ? null : `${due_on.slice(0, 10)}T23:59:59Z`,
              closed_at: isOpen ? null : before.state === "closed" ? before.closed_at : site.now(),
              updated_at: site.now(),
            });
          },
        ],
        remove: [
          milestoneDelete,
          ({ site }, milestone) => {
            for (const area of site.areas) area.milestoneDeleted?.(site, milestone);
          },
        ],
      },
    ),
  ],
};

/** Lists milestones (default: open), sorted by due date, those without one first, then by title. */
function list(call: Call<typeof read>): MilestoneRecord[] {
  const state = call.query.get("state") || "open";
  const name = (call.query.get("name") ?? "").toLowerCase();
  return milestonesOf(call)
    .filter((milestone) => state === "all" || milestone.state === (state === "closed" ? "closed" : "open"))
    .filter((milestone) => milestone.title.toLowerCase().includes(name))
    .sort(compare);
}

function compare(one: MilestoneRecord, other: MilestoneRecord): number {
  const keyOf = ({ due_on, title }: MilestoneRecord) => `${due_on ?? ""} ${title}`;
  return keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : one.id - other.id;
}

function milestonesOf({ site, repo }: Call<typeof read>): MilestoneRecord[] {
  return site.table("milestones").filter((milestone) => milestone.repoId === repo.id);
}
