import Long from "long";
import type { Reading } from "../reading/codec.ts";

interface Archive {
  /** Seconds between rows. */
  readonly span: number;
  readonly rows: readonly { readonly time: number; readonly values: readonly number[] }[];
}

/**
 * The readings in the output of `rrdtool dump`, the oldest first: the averages of the finest archive, and of coarser ones
 * for the time before it. RRDtool stores counters as rates, so that all values are gauges. Rows without a known value are
 * left out. Undefined without an archive of averages.
 */
export function readingsFromRrd(xml: string, identifier: Reading["identifier"]): Reading[] | undefined {
  const step = Number(/<step>\s*(\d+)/.exec(xml)?.[1]);
  const ds_names = textsOf(xml, "name");
  const archives = xml
    .split("<rra>")
    .slice(1)
    .flatMap((text) => archiveOf(text, step));
  if (archives.length === 0) return undefined;
  let earliest = Number.POSITIVE_INFINITY;
  const parts = archives
    .sort((one, other) => one.span - other.span)
    .map(({ span, rows }) => {
      const older = rows.filter(({ time }) => time < earliest);
      earliest = Math.min(earliest, rows[0]?.time ?? earliest);
      return older
        .filter(({ values }) => values.some((value) => !Number.isNaN(value)))
        .map(({ time, values }) => ({
          identifier,
          ds_names,
          meta_data: new Map(),
          values: values.map((gauge) => ({ value: { $case: "gauge", gauge } as const })),
          time: { seconds: Long.fromNumber(time), nanos: 0 },
          interval: { seconds: Long.fromNumber(span), nanos: 0 },
        }));
    });
  return parts.reverse().flat();
}

function archiveOf(text: string, step: number): Archive[] {
  if (/<cf>\s*(\w+)/.exec(text)?.[1] !== "AVERAGE") return [];
  const span = Number(/<pdp_per_row>\s*(\d+)/.exec(text)?.[1]) * step;
  // The time of a row, in seconds since 1970, is only in the comment before it.
  const rows = text.split("</row>").flatMap((part) => {
    const [, time, row = ""] = /\/ (-?\d+) --> <row>(.*)/s.exec(part) ?? [];
    return time === undefined ? [] : [{ time: Number(time), values: textsOf(row, "v").map(numberOf) }];
  });
  return [{ span, rows }];
}

/** What elements hold, without the space around it. A pattern that skips that looks at spaces again and again. */
function textsOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text = ""]) => text.trim());
}

/** Infinity as C libraries print it; everything else that is not a number is unknown. */
function numberOf(text: string): number {
  const [, sign] = /^([-+]?)inf/i.exec(text) ?? [];
  return sign === undefined ? Number(text) : sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
