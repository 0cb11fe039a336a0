import type { BaseContext } from "../../app/context.ts";
import { flagsOf } from "../../app/fields.ts";
import { levelFlags, ownerName } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { type Label, type LabelOwner, labelSettings } from "../../forge/labels.ts";
import { oneNamed } from "../../forge/names.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";

/** The flag for the labels of an organization. */
export const ownerFlags = { org: levelFlags.org };

/** The owner of the labels: the organization of `--org`, or else the current repository. */
export async function labelOwner(
  { org }: { readonly org: string | undefined },
  { locate }: Pick<BaseContext, "locate">,
): Promise<LabelOwner> {
  return org === undefined ? { of: "repository", repo: await locate() } : { of: "organization", org };
}

/** The flags for the settings of a label. */
export const settingFlags = flagsOf(labelSettings);

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

/** Servers allow a second label of a name, which then no longer names one. */
export function labelExists({ name }: Label, owner: LabelOwner): Failure {
  return new Failure("exists", `Label '${name}' already exists in ${ownerName(owner)}`);
}
