import { inputFile, names, text, title, toggle } from "../command/flags.ts";
import { dueDate } from "../command/time-flags.ts";

/** Flags that edit an issue or a pull request: its texts, its labels and assignees, its milestone and due date. */
export const textFlags = {
  title: title("set the title"),
  body: text("set the body", { short: "b" }),
  bodyFile: inputFile("read the body from a file", { short: "F" }),
};

export const listFlags = {
  addLabel: names("add labels", { source: "label" }),
  removeLabel: names("remove labels", { source: "label", opposite: "addLabel" }),
  addAssignee: names("add assignees (@me for yourself)", { source: "user" }),
  removeAssignee: names("remove assignees", { source: "user", opposite: "addAssignee" }),
};

export const planningFlags = {
  milestone: text("set the milestone, by title or number", { placeholder: "NAME", short: "m", source: "milestone" }),
  noMilestone: toggle("remove the milestone"),
  due: dueDate("set the due date, such as 2026-12-24"),
  noDue: toggle("remove the due date"),
};

export const editExclusive = [
  ["body", "bodyFile"],
  ["milestone", "noMilestone"],
  ["due", "noDue"],
] as const;
