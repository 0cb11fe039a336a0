import type { Change } from "../../app/plan.ts";
import { UsageError } from "../../failure/failure.ts";
import type { EditLabelOption } from "../../forge/generated/operations.ts";
import {
  type Label,
  type LabelOwner,
  labelCreate,
  labelDelete,
  labelEdit,
  type labelSettings,
} from "../../forge/labels.ts";
import { call } from "../../forge/operation.ts";
import type { SettingValues } from "../../forge/setting.ts";
import type { Http } from "../../http/client.ts";
import { ifFound } from "../../http/errors.ts";

/** A label of a set to import. Absent settings are kept. */
export type SetLabel = { readonly name: string; readonly color: string } & Partial<SettingValues<typeof labelSettings>>;

/** The changes that make labels the same as a set: those to create, to edit and, with `prune`, to delete, in that order, and how many it deletes. */
export function planImport(
  set: readonly SetLabel[],
  labels: readonly Label[],
  {
    http,
    level,
    where,
    prune,
  }: { readonly http: Http; readonly level: LabelOwner; readonly where: string; readonly prune: boolean },
): { readonly changes: Change<object>[]; readonly deleted: number } {
  const found = set.map((wanted) => ({ wanted, label: matching(wanted, set, labels, where) }));
  const change = (line: string, done: string, send: () => Promise<unknown>, row = {}): Change<object> => ({
    place: line,
    line,
    row,
    make: async () => ({ message: `${done} ${where}`, record: await send() }),
  });
  const creates = found.flatMap(({ wanted, label }) =>
    label === undefined
      ? [
          change(`+ ${wanted.name}: color ${wanted.color}`, `Created label '${wanted.name}'`, () =>
            call(http, labelCreate, { level }, wanted),
          ),
        ]
      : [],
  );
  const edits = found.flatMap(({ wanted, label }) => {
    const body = label && difference(label, wanted);
    if (label === undefined || body === undefined || Object.keys(body).length === 0) return [];
    const line = `~ ${label.name}: ${changesIn(label, body)}`;
    return [change(line, `Updated label '${wanted.name}'`, () => call(http, labelEdit, { level, id: label.id }, body))];
  });
  const kept = new Set(found.map(({ label }) => label?.id));
  const rest = prune ? labels.filter(({ id }) => !kept.has(id)) : [];
  const deletes = rest.map((label) => {
    const { id, name } = label;
    return change(`- ${name}`, `Deleted label '${name}'`, () => ifFound(call(http, labelDelete, { level, id })), label);
  });
  return { changes: [...creates, ...edits, ...deletes], deleted: deletes.length };
}

/** The label that one of the set stands for: names are compared exactly first, then without case. */
function matching({ name }: SetLabel, set: readonly SetLabel[], labels: readonly Label[], where: string) {
  const exact = labels.filter((label) => label.name === name);
  const isNamed = (label: Label) => set.some((other) => other.name === label.name);
  const lower = name.toLowerCase();
  const fits = exact.length > 0 ? exact : labels.filter((one) => one.name.toLowerCase() === lower && !isNamed(one));
  if (fits.length < 2) return fits[0];
  const ids = fits.map(({ id }) => id).join(", ");
  throw new UsageError(`Several labels are named '${name}' ${where}: ${ids}`, "Rename or delete all but one of them.");
}

/** The settings of the set that a label does not have. */
function difference(label: Label, wanted: SetLabel): EditLabelOption {
  const differs = ([key, value]: [string, unknown]) =>
    value !== undefined && value !== (label[key as keyof Label] ?? (typeof value === "boolean" ? false : ""));
  return Object.fromEntries(Object.entries(wanted).filter(differs));
}

function changesIn(label: Label, body: EditLabelOption): string {
  const shown = (value: unknown) => (value === undefined || value === "" ? "(none)" : String(value));
  return Object.entries(body)
    .map(([key, value]) => `${key} ${shown(label[key as keyof Label])} → ${shown(value)}`)
    .join(", ");
}
