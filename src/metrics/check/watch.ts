import type { PluginState } from "../../failure/exit-codes.ts";
import type { Labels } from "../reading/identity.ts";
import { instantText, maxNanos, nearestSeconds } from "../reading/moments.ts";
import { isAhead } from "../series/ahead.ts";
import { gaugeOrRate, isGap } from "../series/curve.ts";
import type { Limits, Meters } from "../series/meters.ts";
import type { Sample } from "../series/samples.ts";
import type { Instant } from "../stat/groups.ts";
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
  /** The same as it was read; undefined without a reading. */
  last: Instant | undefined;
  /** The last value, or the last rate of a counter; undefined without one. */
  value: number | undefined;
  /** The number of readings ahead of the clock. */
  ahead: number;
  /** Since when the values alert, and since when they are critical. */
  alertsSince: Instant | undefined;
  criticalSince: Instant | undefined;
}

/** The state of a data source. */
export interface Verdict {
  readonly state: PluginState;
  /** Why it is not ok, or not yet. */
  readonly reason?: string;
  readonly since?: Instant | undefined;
}

/** Starts to check a data source. */
export function createWatched(given: Pick<Watched, "labels" | "unit" | "limits">, meters: Meters): Watched {
  const nothing = {
    time: Number.NEGATIVE_INFINITY,
    last: undefined,
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
  const time = nearestSeconds(sample);
  if (!sample.timed || time <= one.time) return;
  if (isAhead(time, one.interval, now)) {
    one.ahead += 1;
    return;
  }
  if (isGap(one.interval, time - one.time)) {
    one.alertsSince = undefined;
    one.criticalSince = undefined;
  }
  const last = { seconds: sample.seconds, nanos: sample.nanos };
  one.time = time;
  one.last = last;
  one.value = gaugeOrRate(meters, one.meter, sample)?.value;
  const exceeds = (range: AlertRange | undefined) =>
    range !== undefined && one.value !== undefined && !Number.isNaN(one.value) && alerts(range, one.value);
  const isCritical = exceeds(crit);
  one.criticalSince = isCritical ? (one.criticalSince ?? last) : undefined;
  one.alertsSince = isCritical || exceeds(warn) ? (one.alertsSince ?? last) : undefined;
}

// Times are doubles.
const accuracy = 0.001;

/** The state at the end; `newest` is the time of the last reading of all series. */
export function verdictOf(one: Watched, { warn, crit, hold }: Rule, newest: number): Verdict {
  const { labels, interval, time, last, value, alertsSince, criticalSince } = one;
  const unknown = (reason: string): Verdict => ({ state: "unknown", reason });
  if (last === undefined) return unknown(one.ahead > 0 ? "no reading up to now" : "no reading with a time");
  if (isGap(interval, newest - time)) return unknown(`no reading since ${timeText(last)}`);
  if (value === undefined) return unknown("no rate: only one reading");
  if (Number.isNaN(value))
    return unknown(labels.kind === "gauge" ? "not a number" : "no rate: reset, or out of its limits");
  const holds = (since: Instant | undefined) => since !== undefined && time - nearestSeconds(since) >= hold - accuracy;
  if (holds(criticalSince)) return { state: "critical", ...because(crit, criticalSince) };
  if (holds(alertsSince)) {
    const range = warn !== undefined && alerts(warn, value) ? warn : crit;
    return { state: "warning", ...because(range, alertsSince) };
  }
  if (alertsSince === undefined) return { state: "ok" };
  const { reason, since } = because(criticalSince === undefined ? warn : crit, criticalSince ?? alertsSince);
  return { state: "ok", reason: `not long enough ${reason}`, since };
}

function because(range: AlertRange | undefined, since: Instant | undefined) {
  return { reason: `${range?.inverted ? "inside" : "outside"} ${range?.text}`, since };
}

/** A time in RFC 3339, in whole seconds; with invalid nanoseconds, what `instantText` prints. */
export function timeText({ seconds, nanos }: Instant): string {
  return instantText({ seconds, nanos: nanos >= 0 && nanos <= maxNanos ? 0 : nanos });
}
