import type { BaseContext } from "../../app/context.ts";
import { ownerName } from "../../app/shared.ts";
import { text, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Label, LabelOwner } from "../../forge/labels.ts";
import { oneNamed } from "../../forge/names.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";

/** The flag for the labels of an organization. */
export const ownerFlags = {
  org: text("for an organization, instead of the repository", { placeholder: "ORG", source: "organization" }),
};

/** The owner of the labels: the organization of `--org`, or else the current repository. */
export async function labelOwner(
  { org }: { readonly org: string | undefined },
  { locate }: Pick<BaseContext, "locate">,
): Promise<LabelOwner> {
  return org === undefined ? { of: "repository", repo: await locate() } : { of: "organization", org };
}

/** The flags for the settings of a label. */
export const settingFlags = {
  color: text("color as hex digits: ff0000, or f00", { short: "c", placeholder: "COLOR" }),
  description: text("description", { short: "d" }),
  exclusive: yesNo("an issue can have only one label of this scope (the name before the last slash)"),
  isArchived: yesNo("archive the label: it is no longer offered"),
};

/** A color as the server stores it: six hex digits in lower case. Throws a usage error if it is not valid. */
export function readColor(typed: string, where = "--color"): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(typed.trim())?.[1];
  if (digits === undefined) throw new UsageError(`${where} must be hex digits such as ff0000, not '${typed}'`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}

/** A random color that is light enough for dark text. */
export function randomColor(random: () => number): string {
  const part = () => Math.floor(96 + random() * 160).toString(16);
  return `${part()}${part()}${part()}`;
}

/** The label with this name or ID. Throws a usage error if several have the name. */
export function findLabel(labels: readonly Label[], typed: string, owner: LabelOwner): Label {
  return oneNamed(labels, typed, { kind: "label", nameOf: ({ name }) => name, where: `in ${ownerName(owner)}` });
}

/** The columns of a list of labels. */
export const labelColumns: readonly Column<Label>[] = [
  column("NAME", "name", { flexible: true }),
  column("DESCRIPTION", "description", { flexible: true }),
  column(
    "COLOR",
    "color",
    ({ color }): Cell => styled("plain", color === undefined || color === "" ? "" : `#${color}`),
  ),
  column("STATE", "exclusive", ({ exclusive, is_archived }) =>
    [...(exclusive ? ["exclusive"] : []), ...(is_archived ? ["archived"] : [])].join(", "),
  ),
  column("ID", "id"),
];
