import { timeText } from "../../metrics/check/watch.ts";
import { shortValue } from "../../metrics/plot/chart.ts";
import type { Labels } from "../../metrics/reading/identity.ts";
import { shortName, sourceName } from "../../metrics/reading/identity.ts";
import { printable } from "../../metrics/reading/values.ts";
import type { Order, TopSeries } from "../../metrics/top/order.ts";
import type { TopSnapshot } from "../../metrics/top/series-table.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";

/** A data source as it is printed. NaN and the infinities are strings, because JSON has no such numbers. */
export interface TopRecord extends Labels {
  readonly series: string;
  /** Of counters, per second. */
  readonly rate?: number | string;
  /** Of gauges. */
  readonly value?: number | string;
  readonly change?: number | string;
  readonly time: string;
  readonly stale: boolean;
  /** When this was so. */
  readonly at: string;
}

/** The record of a data source at a moment. */
export function topRecord({ labels, value, change, last, isStale }: TopSeries, at: Date): TopRecord {
  const field = labels.kind === "gauge" ? "value" : "rate";
  return {
    series: sourceName(labels),
    ...labels,
    ...(value === undefined ? {} : { [field]: printable(value) }),
    ...(change === undefined ? {} : { change: printable(change) }),
    time: timeText(last),
    stale: isStale,
    at: at.toISOString(),
  };
}

/**
 * The columns of the table; that which the rows are sorted by is never omitted. On a terminal, numbers are short, series that
 * are stale are dim, and the host is omitted if all have the same.
 */
export function topColumns(
  order: Order,
  { terminal, hosts }: { readonly terminal: boolean; readonly hosts: number },
): readonly Column<TopRecord>[] {
  const cellOf = (text: (one: TopRecord) => string) => (one: TopRecord) =>
    one.stale ? styled("dim", text(one)) : text(one);
  const number = (field: "rate" | "value" | "change") => {
    const shown = ({ [field]: value }: TopRecord): Cell =>
      value === undefined ? "" : terminal && typeof value === "number" ? shortValue(value) : String(value);
    const cell = cellOf((one) => String(shown(one)));
    return column<TopRecord>(field.toUpperCase(), field, { cell, whole: field === order });
  };
  const isHostShown = !terminal || hosts > 1;
  return [
    ...(isHostShown ? [column<TopRecord>("HOST", "host", { cell: cellOf(({ host }) => host), flexible: true })] : []),
    column<TopRecord>("SERIES", "series", { cell: cellOf(shortName), flexible: true, rank: "key" }),
    number("rate"),
    number("value"),
    number("change"),
    column<TopRecord>("LAST", "time", { as: "any time" }),
  ];
}

/** `303 series of 2 hosts, 12 of them stale`. */
export function topSummary({ series, hosts, stale, isFull }: TopSnapshot): string {
  const of = `${series}${isFull ? " (the most that are kept)" : ""} series of ${hosts} ${hosts === 1 ? "host" : "hosts"}`;
  return stale === 0 ? of : `${of}, ${stale} stale`;
}
