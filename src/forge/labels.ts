import { boolean, type Infer, integer, list, listedRecord, optional, string } from "../shape/shape.ts";
import type { Level } from "./level.ts";
import { operation, pagesOf } from "./operation.ts";
import { colorsOf, type Settings, shapesOf } from "./setting.ts";
import { type Fields, listHas, listOf, type Reader, undoCreate, undoSet, undoToggle, type Write } from "./undo.ts";

/** What a label has besides its name. */
export const labelSettings = {
  color: { shape: string, flag: "color as hex digits: ff0000, or f00", short: "c", isColor: true },
  description: { shape: string, flag: "description", short: "d" },
  exclusive: {
    shape: boolean,
    flag: "an issue can have only one label of this scope (the name before the last slash)",
  },
  is_archived: { shape: boolean, flag: "archive the label: it is no longer offered" },
} as const satisfies Settings;

/** A label of a repository or an organization; colors are six hex digits without `#`. */
export const label = listedRecord(
  "a label",
  { id: integer, name: string, ...shapesOf(labelSettings) },
  { url: string },
);

export type Label = Infer<typeof label>;

/** A label of a set that the server has for new repositories. */
export const labelTemplate = listedRecord("a label template", {
  name: string,
  color: optional(string),
  description: optional(string),
  exclusive: optional(boolean),
});

export type LabelTemplate = Infer<typeof labelTemplate>;

/** What can have labels. */
export type LabelOwner = Extract<Level, { readonly of: "repository" | "organization" }>;

/** A label is in a repository or an organization. 404 for an organization also if the name is a user. */
const levels = ["repository", "organization"] as const;

export const labelList = operation("GET", "{level}/labels", { levels, answers: pagesOf(label) });

/** Whether an issue or a pull request has a label. One whose name has a comma counts as used where there are any. */
async function isLabelUsed({ name }: Fields, read: Reader, at: Write["at"]): Promise<boolean> {
  const [owner] = /(?<=\/orgs\/)[^/]+/.exec(at()) ?? [];
  const place =
    owner === undefined ? `${at("/repos/{owner}/{repo}/issues")}?` : `${at("/repos/issues/search")}?owner=${owner}&`;
  return listOf(await read.record(`${place}state=all&limit=1&labels=${encodeURIComponent(String(name))}`)).length > 0;
}

/** Names need not be unique: creating one again makes a second label. */
export const labelCreate = operation("POST", "{level}/labels", {
  levels,
  answers: label,
  undo: undoCreate({ isUsed: isLabelUsed }),
  applied: { reads: colorsOf(labelSettings), answered: "all" },
});

export const labelEdit = operation("PATCH", "{level}/labels/{id}", {
  levels,
  answers: label,
  applied: { reads: colorsOf(labelSettings), answered: "all" },
});

/** Deleting an unknown label is 204, too. */
export const labelDelete = operation("DELETE", "{level}/labels/{id}", { levels });

/** The names of the label sets. */
export const labelTemplateList = operation("GET", "/label/templates", { answers: pagesOf(string, { unpaged: true }) });

/** The labels of a set; its name is case-sensitive. */
export const labelTemplateGet = operation("GET", "/label/templates/{name}", { answers: list(labelTemplate) });

/** Adds labels to an issue or a pull request; 403 without write access. */
export const issueLabelAdd = operation("POST", "/repos/{owner}/{repo}/issues/{index}/labels", {
  answers: list(label),
  undo: undoSet("labels", "/repos/{owner}/{repo}/issues/{index}"),
});

export const issueLabelRemove = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/labels/{id}", {
  undo: undoToggle({
    by: "POST /repos/{owner}/{repo}/issues/{index}/labels",
    state: listHas({ id: "{id}" }, "/repos/{owner}/{repo}/issues/{index}", "labels"),
    body: ({ parameters }) => ({ labels: [Number(parameters.get("id"))] }),
  }),
});
