import type { Fields } from "../decode/fields.ts";
import { kind } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { Unrepresentable } from "../formats/printer.ts";
import { familyName, isTotal, labelPairs } from "../formats/prometheus-names.ts";
import { dataSource, seriesKey, seriesName } from "../reading/identity.ts";
import { displayText } from "../wire/text.ts";

/** A value with its time. A gauge is `gauge`, any other value the halves of an integer. */
export interface Point {
  readonly gauge: number;
  readonly low: number;
  readonly high: number;
  readonly seconds: number;
  readonly nanos: number;
}

/** A series as an engine has it, and its points in a request. */
export interface EngineSeries {
  readonly name: string;
  /** See `kind`. */
  readonly kind: number;
  /** Sorted by name; `__name__` has the name. */
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly points: Point[];
}

/** Creates an empty table. */
export function createSeriesTable() {
  // By entry of the decoder, and there by value and kind.
  const known: (EngineSeries | undefined)[][] = [];
  const counts: number[] = [];
  const owners = new Map<string, { readonly id: string; readonly name: string }>();
  let filled: EngineSeries[] = [];

  function seriesAt(fields: Fields, index: number, which: number): EngineSeries {
    const series = seriesOf(fields);
    const name = `${familyName(series, index, fields.count)}${isTotal(which) ? "_total" : ""}`;
    const pairs = [["__name__", name] as const, ...labelPairs(series)];
    const labels = pairs.map(([label, value]) => ({ name: label, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
    const key = JSON.stringify(labels);
    const source = dataSource(series, index, fields.count);
    const owner = { id: `${seriesKey(series)} ${source}`, name: displayText(`${seriesName(series)}:${source}`) };
    const before = owners.get(key) ?? owner;
    if (before.id !== owner.id)
      throw new Unrepresentable(`${owner.name} has the name and labels of ${before.name}: ${name}`);
    owners.set(key, owner);
    return { name, kind: which, labels, points: [] };
  }

  /** Adds the values of a reading. Throws `Unrepresentable` if an engine would take its series for another one. */
  function add(fields: Fields, entry: number): void {
    const { count, kinds, gauges, low, high, time } = fields;
    // What a data source is called depends on the number of values.
    if (counts[entry] !== count) {
      counts[entry] = count;
      known[entry] = [];
    }
    const own = known[entry] ?? [];
    // All of them before the first point, or a reading that is refused would be there in part.
    for (let index = 0; index < count; index += 1) {
      const which = kinds[index] ?? 0;
      if (which !== 0) own[index * 5 + which] ??= seriesAt(fields, index, which);
    }
    for (let index = 0; index < count; index += 1) {
      const which = kinds[index] ?? 0;
      const series = own[index * 5 + which];
      if (which === 0 || series === undefined) continue;
      if (series.points.length === 0) filled.push(series);
      series.points.push({
        gauge: which === kind.gauge ? (gauges[index] ?? 0) : 0,
        low: low[index] ?? 0,
        high: high[index] ?? 0,
        seconds: time.seconds,
        nanos: time.nanos,
      });
    }
  }

  return {
    /** Called with the entry of a new series of the decoder. */
    added: (entry: number) => {
      counts[entry] = -1;
    },
    add,
    /** The series that have points, which are in the order of time. The table has no points then. */
    take: () => {
      const taken = filled.map((series) => ({ ...series, points: inOrder(series.points.splice(0)) }));
      filled = [];
      return taken;
    },
  };
}

function inOrder(points: Point[]): Point[] {
  return points.sort((one, other) => one.seconds - other.seconds || one.nanos - other.nanos);
}
