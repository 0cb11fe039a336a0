import { endOfDay } from "../../../command/time-flags.ts";
import { labelCreate, labelDelete, labelEdit, labelList, labelSettings } from "../../../forge/labels.ts";
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
  milestoneSettings,
} from "../../../forge/milestones.ts";
import { call } from "../../../forge/operation.ts";
import { refuseColor, withColors } from "../../../forge/setting.ts";
import { string } from "../../../shape/shape.ts";
import { fieldsOfSettings, type Kind, pick, textOf, type Values } from "./kind.ts";

/** The labels of a repository or an organization, by name. */
export const labels: Kind = {
  title: "label",
  repeats: true,
  description: "labels by name",
  sends: { create: labelCreate, update: labelEdit, delete: labelDelete },
  form: "named",
  ...fieldsOfSettings(labelSettings),
  required: ["color"],
  short: "color",
  normalize: (values) => withColors(labelSettings, values, refuseColor),
  async read({ http, level }) {
    return (await collect(call(http, labelList, { level }))).map((one) => ({
      name: one.name,
      values: withColors(labelSettings, pick(one, labels.fields)),
      update: (changed) => call(http, labelEdit, { level, id: one.id }, changed),
      remove: () => call(http, labelDelete, { level, id: one.id }),
    }));
  },
  create: ({ http, level }, name, values) =>
    call(http, labelCreate, { level }, { ...values, name, color: textOf(values["color"]) }),
};

/** The milestones of a repository, by title; a due date is a day. */
export const milestones: Kind = {
  title: "milestone",
  repeats: true,
  description: "milestones by title",
  sends: { create: milestoneCreate, update: milestoneEdit, delete: milestoneDelete },
  form: "named",
  fields: { ...fieldsOfSettings(milestoneSettings).fields, due_on: string },
  short: "due_on",
  normalize(values) {
    const due_on = textOf(values["due_on"]).slice(0, 10);
    if (due_on !== "") endOfDay(due_on, "due_on");
    return "due_on" in values ? { ...values, due_on } : values;
  },
  async read({ http, repo }) {
    return (await collect(call(http, milestoneList, { repo, state: "all" }))).map((found) => ({
      name: found.title ?? "",
      values: valuesOf(found),
      update: async (changed) => valuesOf(await editMilestone(http, repo, found, bodyOf(changed))),
      remove: () => call(http, milestoneDelete, { repo, id: found.id }),
    }));
  },
  async create({ http, repo }, title, values) {
    const { due_on, ...body } = bodyOf(values);
    return valuesOf(await createMilestone(http, repo, { ...body, title, due_on: due_on ?? undefined }));
  },
};

/** Servers keep the day of a due date, not the time. */
function valuesOf(found: Milestone): Values {
  return { ...pick(found, milestones.fields), due_on: found.due_on?.slice(0, 10) ?? "" };
}

function bodyOf({ due_on, ...values }: Values): MilestoneOption {
  const due = textOf(due_on);
  return { ...values, ...(due_on === undefined ? {} : { due_on: due === "" ? null : endOfDay(due, "due_on") }) };
}
