import { loses, notRestored } from "../../forge/undo.ts";
import { type Column, column } from "../../output/table.ts";
import { anything, type Infer, list, nullable, record, string, words } from "../../shape/shape.ts";
import { type Change, removedMembers } from "./compare.ts";
import { kindAt } from "./kinds/index.ts";
import type { Value } from "./kinds/kind.ts";

const row = record({
  repository: string,
  action: words("create", "update", "delete", "duplicate", "unchecked", "skipped"),
  kind: string,
  name: string,
  field: nullable(string),
  old: nullable(anything),
  new: nullable(anything),
});

/** The fields of a plan, one row each. */
export const changeRow = list(row);

const base = { repository: string, action: words("create", "update", "delete"), kind: string, name: string };
const field = record({ field: string, old: nullable(anything), new: nullable(anything) });

/** The changes that were made, with their fields. */
export const appliedChanges = list(record({ ...base, fields: list(field) }));

/** A change that was made. */
export function applied(change: Change) {
  const { repository, action, kind, fields } = change;
  return {
    repository,
    action,
    kind,
    name: shownName(change),
    fields: fields.map(({ field, old = null, new: value }) => ({ field, old, new: value })),
  };
}

/** A field of a plan. */
export type ChangeRow = Infer<typeof row>;

/** One row per field; one without a field for a change without fields, and for an archived repository that is skipped. */
export function rowsOf(changes: readonly Change[], skipped: readonly string[]): ChangeRow[] {
  const nothing = { kind: "", name: "", field: null, old: null, new: null };
  const rows = changes.flatMap((change): ChangeRow[] => {
    const { repository, action, kind, fields, lost = [] } = change;
    const base = { repository, action, kind, name: shownName(change) };
    if (lost.length > 0) return [{ ...base, field: "members", old: lost, new: null }];
    if (fields.length === 0) return [{ ...base, field: null, old: null, new: null }];
    return fields.map(({ field, old = null, new: value, isUnchecked = false }) => {
      return { ...base, action: isUnchecked ? "unchecked" : action, field, old, new: value };
    });
  });
  return [...rows, ...skipped.map((repository) => ({ ...nothing, repository, action: "skipped" as const }))];
}

/** How many names of two lists are printed: of longer ones, what is added and removed. */
const shownNames = 8;

/** `+2 (mara, jonas) -201 (a, b, c, …)` for lists that differ and are long. */
function difference(old: unknown, now: unknown): string | undefined {
  if (!Array.isArray(old) || !Array.isArray(now) || old.length + now.length <= shownNames) return undefined;
  const without = (list: readonly unknown[], others: readonly unknown[]) => {
    const known = new Set(others.map((one) => String(one).toLowerCase()));
    return list.map(String).filter((one) => !known.has(one.toLowerCase()));
  };
  const part = (sign: string, list: readonly string[]) =>
    list.length === 0 ? [] : [`${sign}${list.length} (${list.slice(0, 3).join(", ")}${list.length > 3 ? ", …" : ""})`];
  return [...part("+", without(now, old)), ...part("-", without(old, now))].join(" ");
}

/** The columns of a plan. */
export const changeColumns: readonly Column<ChangeRow>[] = [
  column("REPOSITORY", "repository", { flexible: true }),
  column("ACTION", "action"),
  column("KIND", "kind"),
  column("NAME", "name", { flexible: true }),
  column("FIELD", "field", { cell: ({ field }) => field ?? "", below: "text" }),
  column("OLD", "old", {
    cell: ({ action, old, new: now }) => {
      const isLong = difference(old, action === "delete" ? [] : now) !== undefined;
      return isLong && Array.isArray(old) ? `${old.length} names` : shown(old);
    },
    flexible: true,
    below: "text",
  }),
  column("NEW", "new", {
    cell: ({ old, new: now }) => difference(old, now) ?? shown(now),
    flexible: true,
    below: "text",
  }),
];

/** `mara, jonas`, `repo.code: write, repo.issues: read`. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && !Array.isArray(value))
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${one}`)
      .join(", ");
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** What exists before, such as a user, is added and removed. */
function verbs({ repository, kind }: Change) {
  const isAdded = kindAt(repository, kind).namesA !== undefined;
  const [create, remove] = isAdded ? ["Add", "Remove"] : ["Create", "Delete"];
  return { create, update: "Update", delete: remove, unchecked: "Not checked:", duplicate: "Duplicate" } as const;
}

/** The same of a change that was made: `Updated label …`. */
export function doneLine(change: Change): string {
  const verb = verbs(change)[change.action];
  return `${verb}${verb.endsWith("e") ? "d" : "ed"}${changeLine(change).slice(verb.length)}`;
}

/** A change in a line: `Update label 'bug' in mara/harbor: color: ff0000 → 00ff00`. */
export function changeLine(change: Change): string {
  const { action, fields, lost = [] } = change;
  const verb = verbs(change)[action];
  const changed = fields.map((one) => {
    const values = `${one.old === undefined ? "" : `${quoted(one.old)} → `}${quoted(one.new)}`;
    return `${one.field}: ${difference(one.old, one.new) ?? values}`;
  });
  if (lost.length > 0) changed.push(lost.length === 1 ? "with 1 member" : `with ${lost.length} members`);
  return `${verb} ${changePlace(change)}${changed.length === 0 ? "" : ` (${changed.join(", ")})`}`;
}

/** What a change is of: `label 'bug' in mara/harbor`. */
export function changePlace(change: Change): string {
  const { repository, kind, name } = change;
  const { title } = kindAt(repository, kind);
  return `${name === "" ? title : `${title} '${shownName(change)}'`} in ${repository}`;
}

/** The name of an item as it is printed. */
function shownName({ repository, kind, name, item, values }: Change): string {
  return kindAt(repository, kind).shown?.(name, { ...values, ...item?.values }) ?? name;
}

function quoted(value: Value): string {
  return typeof value === "string" ? `'${value}'` : shown(value);
}

/** `removes 3 members of teams, and …`; undefined if changes remove none. */
export function removalText(changes: readonly Change[]): [string] | undefined {
  const count = changes.flatMap(removedMembers).length;
  const members = count === 1 ? "1 member of a team" : `${count} members of teams`;
  return count === 0 ? undefined : [`removes ${members}: ${notRestored(loses.access)}`];
}

/** How many changes a plan has. */
export function summary(changes: readonly Change[], places: string, skipped: readonly string[]): string {
  const count = (action: Change["action"]) => changes.filter((one) => one.action === action).length;
  const unchecked = changes.filter(
    ({ action, fields }) => action === "unchecked" || fields.some(({ isUnchecked }) => isUnchecked),
  ).length;
  const left = skipped.length === 0 ? "" : ` ${skipped.length} skipped, because archived.`;
  const [removal] = removalText(changes) ?? [];
  const gone = removal === undefined ? "" : ` This ${removal}.`;
  const extra = count("duplicate");
  const twice = extra === 0 ? "" : ` ${extra} duplicate: delete what is there twice, or set 'prune: true'.`;
  const rest = `${gone}${twice}${unchecked === 0 ? "" : ` ${unchecked} could not be checked.`}${left}`;
  const [created, updated, deleted] = [count("create"), count("update"), count("delete")];
  if (created + updated + deleted === 0) return `No changes in ${places}.${rest}`;
  return `${created} to create, ${updated} to update, ${deleted} to delete in ${places}.${rest}`;
}
