import { readColor } from "../../../app/label-color.ts";
import { endOfDay } from "../../../command/due-date.ts";
import { UsageError } from "../../../failure/failure.ts";
import { labelCreate, labelDelete, labelEdit, labelList } from "../../../forge/labels.ts";
import { collect } from "../../../forge/listings.ts";
import {
  createMilestone,
  editMilestone,
  type Milestone,
  type MilestoneOption,
  milestoneCreate,
  milestoneDelete,
  milestoneEdit,
  milestoneList,
} from "../../../forge/milestones.ts";
import { call } from "../../../forge/operation.ts";
import { boolean, string, words } from "../../../shape/shape.ts";
import { type Kind, pick, sameValue, textOf, type Values } from "./kind.ts";

/** The labels of a repository or an organization, by name. */
export const labels: Kind = {
  title: "label",
  repeats: true,
  description: "labels by name",
  sends: { create: labelCreate, update: labelEdit, delete: labelDelete },
  form: "named",
  fields: { color: string, description: string, exclusive: boolean, is_archived: boolean },
  required: ["color"],
  short: "color",
  normalize: (values) =>
    "color" in values ? { ...values, color: readColor(textOf(values["color"]), "color") } : values,
  async read({ http, level }) {
    return (await collect(call(http, labelList, { level }))).map((one) => ({
      name: one.name,
      values: withColor(pick(one, labels.fields)),
      update: async (changed) =>
        withColor(pick(await call(http, labelEdit, { level, id: one.id }, changed), labels.fields)),
      remove: () => call(http, labelDelete, { level, id: one.id }),
    }));
  },
  async create({ http, level }, name, values) {
    const body = { ...values, name, color: textOf(values["color"]) };
    return withColor(pick(await call(http, labelCreate, { level }, body), labels.fields));
  },
};

/** Colors as `normalize` spells them. */
function withColor(values: Values): Values {
  return "color" in values ? { ...values, color: textOf(values["color"]).replace(/^#/, "").toLowerCase() } : values;
}

/** The milestones of a repository, by title. */
export const milestones: Kind = {
  title: "milestone",
  repeats: true,
  description: "milestones by title",
  sends: { create: milestoneCreate, update: milestoneEdit, delete: milestoneDelete },
  form: "named",
  fields: { description: string, state: words("open", "closed"), due_on: string },
  short: "due_on",
  normalize(values) {
    const { state = "open" } = values;
    if (state !== "open" && state !== "closed") throw new UsageError("state must be open or closed");
    if (values["due_on"] === undefined) return values;
    const due_on = textOf(values["due_on"]).slice(0, 10);
    if (due_on !== "") endOfDay(due_on, "due_on");
    return { ...values, due_on };
  },
  same: (field, old, wanted) => (field === "due_on" ? isSameDay(textOf(old), textOf(wanted)) : sameValue(old, wanted)),
  async read({ http, repo }) {
    return (await collect(call(http, milestoneList, { repo, state: "all" }))).map((one) => ({
      name: one.title ?? "",
      values: valuesOf(one),
      update: async (changed) => valuesOf(await editMilestone(http, repo, one, bodyOf(changed))),
      remove: () => call(http, milestoneDelete, { repo, id: one.id }),
    }));
  },
  async create({ http, repo }, title, values) {
    const { due_on, ...body } = bodyOf(values);
    const created = await createMilestone(http, repo, { ...body, title, due_on: due_on ?? undefined });
    return valuesOf(created);
  },
};

function valuesOf(found: Milestone): Values {
  return { ...pick(found, milestones.fields), due_on: found.due_on ?? "" };
}

function bodyOf({ description, state, due_on }: Values): MilestoneOption {
  const due = textOf(due_on);
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...(state === "open" || state === "closed" ? { state } : {}),
    ...(due_on === undefined ? {} : { due_on: due === "" ? null : endOfDay(due, "due_on") }),
  };
}

/** Whether a time is on a day, in its own time zone or in that of this machine. Servers keep the day, not the time. */
function isSameDay(time: string, day: string): boolean {
  if (time === "" || day === "") return time === day;
  const here = new Date(time);
  const local = new Date(here.getTime() - here.getTimezoneOffset() * 60_000).toISOString();
  return time.startsWith(day) || local.startsWith(day);
}
