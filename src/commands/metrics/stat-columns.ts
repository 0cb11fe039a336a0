import { type GroupKey, groupKeys } from "../../metrics/reading/identity.ts";
import type { GroupRecord } from "../../metrics/stat/group-record.ts";
import { type Statistic, statistics } from "../../metrics/stat/groups.ts";
import { shownCell } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";

/** A column of `metrics stat` with the field that it shows. */
export type StatColumn = Column<GroupRecord> & { readonly field: keyof GroupRecord };

/** The columns of the table and of CSV: the series or the labels that are grouped by, then the statistics. */
export function statColumns(by: readonly GroupKey[]): StatColumn[] {
  const keys = by === groupKeys ? (["series", "kind"] as const) : by;
  return [
    ...keys.map((field) => ({ ...column<GroupRecord>(header(field), field, { whole: true }), field })),
    ...statistics.map((field) => ({ ...column<GroupRecord>(header(field), field, { as: kindOf(field) }), field })),
  ];
}

function header(field: string): string {
  return field.toUpperCase().replaceAll("_", " ");
}

function kindOf(field: Statistic) {
  return field === "first_time" || field === "last_time" ? "any time" : "plain";
}

// Omitted first on a narrow terminal.
const omitted: readonly (keyof GroupRecord)[] = [
  ...(["wraps", "resets", "nan", "first_time", "rate_min", "last_time", "mean", "rate_p95", "rate_max"] as const),
  ...(["last", "min", "max", "rate", "kind", "count"] as const),
];

/**
 * Omits columns until the others fit the width, starting with those that are empty or zero in every row. The one that the
 * rows are sorted by is kept.
 */
export function fitColumns(
  columns: readonly StatColumn[],
  records: readonly GroupRecord[],
  width: number,
  { now, sort }: { readonly now: Date; readonly sort: Statistic | undefined },
): StatColumn[] {
  const shortened = columns.map((one) => ({ ...one, cell: (group: GroupRecord) => shortNumber(one.cell(group)) }));
  const says = (one: StatColumn) => records.some((group) => !["", "0"].includes(shownCell(one.cell(group), now)));
  let kept = shortened.filter((one) => ["count", sort].includes(one.field) || says(one));
  const widthOf = (one: StatColumn) =>
    records.reduce((most, group) => Math.max(most, shownCell(one.cell(group), now).length), one.header.length);
  const widths = new Map(kept.map((one) => [one.field, widthOf(one) + 2]));
  for (const field of omitted) {
    if (kept.reduce((sum, one) => sum + (widths.get(one.field) ?? 0), -2) <= width) break;
    kept = kept.filter((one) => one.field !== field || field === sort);
  }
  return kept;
}

/** Shortens decimals for display; integers stay exact. */
function shortNumber(value: ReturnType<StatColumn["cell"]>): ReturnType<StatColumn["cell"]> {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
