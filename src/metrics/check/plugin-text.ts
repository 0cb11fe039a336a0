import { safeLine } from "../../text/safe.ts";
import { shortValue } from "../plot/chart.ts";
import type { Rule, Verdict, Watched } from "./watch.ts";
import { timeText } from "./watch.ts";

/** A checked data source with its name and state. */
export interface Checked extends Verdict {
  readonly name: string;
  readonly watched: Watched;
}

// Further series that are not ok are only counted; all are in the performance data.
const maxLines = 100;

/**
 * The output of a monitoring plugin (the Monitoring Plugins Development Guidelines): a line with the state, the worst series
 * and the performance data of all; below it a line for each series that is not ok, or alerts but not for long enough.
 * The series are in order, the worst first.
 */
export function pluginText(all: readonly Checked[], rule: Rule): string {
  const [worst] = all;
  if (worst === undefined) return "";
  const counts = (["critical", "warning", "unknown", "ok"] as const).flatMap((state) => {
    const count = all.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const summary =
    all.length === 1 ? sentence(worst) : worst.state === "ok" ? `${all.length} series` : counts.join(", ");
  const first = all.length === 1 || worst.state === "ok" ? summary : `${summary}: ${sentence(worst)}`;
  const told = all.length === 1 ? [] : all.filter(({ reason, watched }) => reason !== undefined || watched.ahead > 0);
  const lines = told.slice(0, maxLines).map((one) => `${one.state.toUpperCase()}: ${sentence(one)}`);
  if (told.length > maxLines) lines.push(`and ${told.length - maxLines} more`);
  const data = all.map((one) => performanceData(one, rule)).join(" ");
  const text = [`${worst.state.toUpperCase()} - ${first} | ${data}`, ...lines].join("\n");
  return `${text}\n`;
}

/** `load/load:shortterm is 12.3, outside 0:10, since 2026-01-31T08:00:00Z`. */
function sentence({ name, watched, state, reason, since }: Checked): string {
  const { value, unit, ahead } = watched;
  const isKnown = state !== "unknown" && value !== undefined;
  const shown = isKnown ? ` is ${shortValue(value)}${unit}` : "";
  const why = reason === undefined ? "" : `${isKnown ? "," : ":"} ${reason}`;
  const held = since === undefined ? "" : `, since ${timeText(since)}`;
  const skipped = `; ${ahead} ${ahead === 1 ? "reading is" : "readings are"} ahead of the clock: left out`;
  return plain(`${name}${shown}${why}${held}${ahead > 0 ? skipped : ""}`);
}

const unitsOfMeasurement: Readonly<Record<string, string>> = { " B": "B", " %": "%", " s": "s" };

/** `'label'=value[UOM];warn;crit;min;max`; the value is U if it is not known. */
function performanceData({ name, watched: { value, unit, limits }, state }: Checked, { warn, crit }: Rule): string {
  const label = plain(name).replaceAll("=", "_").replaceAll("'", "''");
  const isKnown = state !== "unknown" && value !== undefined && Number.isFinite(value);
  const measured = isKnown ? `${decimal.format(value)}${unitsOfMeasurement[unit] ?? ""}` : "U";
  const bounds = [limits?.min, limits?.max].map((bound) => (bound === undefined ? "" : decimal.format(bound)));
  return `'${label}'=${[measured, warn?.text ?? "", crit?.text ?? "", ...bounds].join(";")}`.replace(/;+$/, "");
}

// All digits, and no exponent, which plugins do not write.
const decimal = new Intl.NumberFormat("en", { useGrouping: false, maximumSignificantDigits: 17 });

/** What follows a bar is performance data. */
function plain(text: string): string {
  return safeLine(text).replaceAll("|", "/");
}
