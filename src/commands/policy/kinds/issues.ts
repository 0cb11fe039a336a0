import { withColors } from "../../../app/fields.ts";
import { endOfDay } from "../../../command/due-date.ts";
import { UsageError } from "../../../failure/failure.ts";
import { type Label, labelCreate, labelDelete, labelEdit, labelList, labelSettings } from "../../../forge/labels.ts";
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
import { plainColors } from "../../../forge/setting.ts";
import { string, words } from "../../../shape/shape.ts";
import { type Kind, pick, sameValue, textOf, type Values } from "./kind.ts";

/** The labels of a repository or an organization, by name. */
export const labels: Kind = {
  title: "label",
  repeats: true,
  description: "labels by name",
  sends: { create: labelCreate, update: labelEdit, delete: labelDelete },
  form: "named",
  fields: Object.fromEntries(Object.entries(labelSettings).map(([name, { shape }]) => [name, shape])),
  required: ["color"],
  short: "color",
  normalize: (values) => withColors(labelSettings, values, (name) => name),
  async read({ http, level }) {
    return (await collect(call(http, labelList, { level }))).map((one) => ({
      name: one.name,
      values: valuesIn(one),
      update: async (changed) => valuesIn(await call(http, labelEdit, { level, id: one.id }, changed)),
      remove: () => call(http, labelDelete, { level, id: one.id }),
    }));
  },
  async create({ http, level }, name, values) {
    const body = { ...values, name, color: textOf(values["color"]) };
    return valuesIn(await call(http, labelCreate, { level }, body));
  },
};

/** The settings of a label, with colors as `normalize` spells them. */
function valuesIn(one: Label): Values {
  return plainColors(labelSettings, pick(one, labels.fields));
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
