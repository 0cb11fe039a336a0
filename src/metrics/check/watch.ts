import type { PluginState } from "../../failure/exit-codes.ts";
import type { Labels } from "../reading/identity.ts";
import { gaugeOrRate, isAhead, isGap } from "../series/curve.ts";
import type { Limits, Meters } from "../series/meters.ts";
import type { Sample } from "../series/samples.ts";
import { instantText } from "../stat/group-record.ts";
import { type AlertRange, alerts } from "./range.ts";

/** The ranges, and for how many seconds a value must have been outside of one. */
export interface Rule {
  readonly warn: AlertRange | undefined;
  readonly crit: AlertRange | undefined;
  readonly hold: number;
}

/** A data source that is checked. Times are in seconds since 1970. */
export interface Watched {
  readonly labels: Labels;
  readonly unit: string;
  readonly limits: Limits | undefined;
  /** The number of its series in `Meters`. */
  readonly meter: number;
  /** Seconds between readings, 0 if unknown. */
  interval: number;
  time: number;
  /** The last value, or the last rate of a counter; undefined without one. */
  value: number | undefined;
  /** The number of readings ahead of the clock. */
  ahead: number;
  /** Since when the values alert, and since when they are critical. */
  alertsSince: number | undefined;
  criticalSince: number | undefined;
}

/** The state of a data source. */
export interface Verdict {
  readonly state: PluginState;
  /** Why it is not ok, or not yet. */
  readonly reason?: string;
  readonly since?: number | undefined;
}

/** Starts to check a data source. */
export function createWatched(given: Pick<Watched, "labels" | "unit" | "limits">, meters: Meters): Watched {
  const nothing = {
    time: Number.NEGATIVE_INFINITY,
    value: undefined,
    alertsSince: undefined,
    criticalSince: undefined,
  };
  return { ...given, ...nothing, meter: meters.add(given.limits), interval: 0, ahead: 0 };
}

/**
 * Takes the next value. Values without a time, late ones, and those ahead of `now` are left out. NaN, and missing readings,
 * end what holds.
 */
export function observe(one: Watched, meters: Meters, sample: Sample, { warn, crit }: Rule, now: number): void {
  const time = sample.seconds + sample.nanos / 1e9;
  if (!sample.timed || time <= one.time) return;
  if (isAhead(time, one.interval, now)) {
    one.ahead += 1;
    return;
  }
  if (isGap(one.interval, time - one.time)) {
    one.alertsSince = undefined;
    one.criticalSince = undefined;
  }
  one.time = time;
  one.value = gaugeOrRate(meters, one.meter, sample);
  const exceeds = (range: AlertRange | undefined) =>
    range !== undefined && one.value !== undefined && !Number.isNaN(one.value) && alerts(range, one.value);
  const isCritical = exceeds(crit);
  one.criticalSince = isCritical ? (one.criticalSince ?? time) : undefined;
  one.alertsSince = isCritical || exceeds(warn) ? (one.alertsSince ?? time) : undefined;
}

// Times are doubles.
const accuracy = 0.001;

/** The state at the end; `newest` is the time of the last reading of all series. */
export function verdictOf(one: Watched, { warn, crit, hold }: Rule, newest: number): Verdict {
  const { labels, interval, time, value, alertsSince, criticalSince } = one;
  const unknown = (reason: string): Verdict => ({ state: "unknown", reason });
  if (time === Number.NEGATIVE_INFINITY)
    return unknown(one.ahead > 0 ? "no reading up to now" : "no reading with a time");
  if (isGap(interval, newest - time)) return unknown(`no reading since ${timeText(time)}`);
  if (value === undefined) return unknown("no rate: only one reading");
  if (Number.isNaN(value))
    return unknown(labels.kind === "gauge" ? "not a number" : "no rate: reset, or out of its limits");
  const holds = (since: number | undefined) => since !== undefined && time - since >= hold - accuracy;
  if (holds(criticalSince)) return { state: "critical", ...because(crit, criticalSince) };
  if (holds(alertsSince)) {
    const range = warn !== undefined && alerts(warn, value) ? warn : crit;
    return { state: "warning", ...because(range, alertsSince) };
  }
  if (alertsSince === undefined) return { state: "ok" };
  const { reason, since } = because(criticalSince === undefined ? warn : crit, criticalSince ?? alertsSince);
  return { state: "ok", reason: `not long enough ${reason}`, since };
}

function because(range: AlertRange | undefined, since: number | undefined) {
  return { reason: `${range?.inverted ? "inside" : "outside"} ${range?.text}`, since };
}

/** A time in RFC 3339, in whole seconds. */
export function timeText(time: number): string {
  return instantText({ seconds: Math.floor(time), nanos: 0 });
}
