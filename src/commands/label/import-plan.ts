import { UsageError } from "../../failure/failure.ts";
import type { EditLabelOption } from "../../forge/generated/operations.ts";
import type { Label } from "../../forge/labels.ts";

/** A label of a set to import. Absent settings are kept. */
export interface SetLabel {
  readonly name: string;
  readonly color: string;
  readonly description?: string | undefined;
  readonly exclusive?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
}

/** One change of an import. */
export type ImportStep =
  | { readonly does: "create"; readonly body: SetLabel }
  | { readonly does: "edit"; readonly label: Label; readonly body: EditLabelOption }
  | { readonly does: "delete"; readonly label: Label };

/**
 * The changes that make labels the same as a set: what to create, to edit and, with `prune`, to delete, in that order.
 * Names are compared exactly first, then without case. Throws a usage error if a name of the set is that of several labels.
 */
export function planImport(
  set: readonly SetLabel[],
  labels: readonly Label[],
  { prune, where }: { readonly prune: boolean; readonly where: string },
): ImportStep[] {
  const creates: ImportStep[] = [];
  const edits: ImportStep[] = [];
  const kept = new Set<number>();
  for (const wanted of set) {
    const present = matching(wanted, set, labels, where);
    if (present === undefined) {
      creates.push({ does: "create", body: wanted });
      continue;
    }
    kept.add(present.id);
    const body = difference(present, wanted);
    if (Object.keys(body).length > 0) edits.push({ does: "edit", label: present, body });
  }
  const rest = prune ? labels.filter(({ id }) => !kept.has(id)) : [];
  return [...creates, ...edits, ...rest.map((label): ImportStep => ({ does: "delete", label }))];
}

/** The label that a label of the set stands for, if it exists. */
function matching(
  { name }: SetLabel,
  set: readonly SetLabel[],
  labels: readonly Label[],
  where: string,
): Label | undefined {
  const exact = labels.filter((label) => label.name === name);
  // A label that another label of the set names exactly is that one's.
  const named = new Set(set.map((other) => other.name));
  const lower = name.toLowerCase();
  const fitting =
    exact.length > 0 ? exact : labels.filter((label) => label.name.toLowerCase() === lower && !named.has(label.name));
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id).join(", ");
    throw new UsageError(
      `Several labels are named '${name}' ${where}: ${ids}`,
      "Rename or delete all but one of them.",
    );
  }
  return fitting[0];
}

/** The settings of the set that a label does not have. */
function difference(label: Label, wanted: SetLabel): EditLabelOption {
  const body: Record<string, string | boolean> = {};
  for (const key of ["name", "color", "description", "exclusive", "is_archived"] as const) {
    const value = wanted[key];
    if (value !== undefined && value !== (label[key] ?? (typeof value === "boolean" ? false : ""))) body[key] = value;
  }
  return body;
}

/** A change in one line: `~ bug: color ee0701 → ff0000`. */
export function planLine(step: ImportStep): string {
  if (step.does === "create") return `+ ${step.body.name}: color ${step.body.color}`;
  if (step.does === "delete") return `- ${step.label.name}`;
  const { label, body } = step;
  const changes = Object.entries(body).map(([key, value]) => {
    const before = Object.entries(label).find(([name]) => name === key)?.[1] ?? "";
    return `${key} ${before === "" ? "(none)" : before} → ${value === "" ? "(none)" : value}`;
  });
  return `~ ${label.name}: ${changes.join(", ")}`;
}
