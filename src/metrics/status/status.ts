import type { Fields } from "../decode/fields.ts";
import { textAt } from "../decode/series.ts";

/** What a receiver counts besides the readings, by what it is called: `calls`, `packets that the system dropped`. */
export type Counts = Readonly<Record<string, number>>;

/** How receiving goes. */
export interface ReceivingStatus {
  /** All readings, and how many came in a second lately. */
  readonly readings: number;
  readonly rate: number;
  /** Hosts of which a reading came in the last five minutes. */
  readonly hosts: number;
  readonly lost: Counts;
  readonly refused: Counts;
  /** Undefined if none can come. */
  readonly notifications?: number | undefined;
  /** How long what was taken last had waited, in seconds. */
  readonly lag: number;
  readonly forward?: ForwardCounters | undefined;
}

/** Readings on their way to an engine: how many were sent, refused, dropped or lost, and how many wait for how many seconds. */
export interface ForwardCounters {
  readonly sent: number;
  readonly refused: number;
  readonly dropped: number;
  readonly lag: number;
  readonly waiting: number;
}

const hostLasts = 300_000;
const rateSpan = 10;
const mostHosts = 100_000;

/** Counts readings and hosts. `now` is in milliseconds. */
export function createMeter(now: () => number) {
  // When the last reading of a host came.
  const seen = new Map<string, { at: number }>();
  const hostOf: { at: number }[] = [];
  let clock = now();
  let readings = 0;
  /** How many readings there were, and when, at the last ticks. */
  let ticks = [{ at: clock, readings: 0 }];
  return {
    /** A series of the decoder, when it is new. */
    added: (entry: number, fields: Fields) => {
      const host = textAt(fields, fields.parts[0] ?? 0, fields.parts[1] ?? 0);
      const one = seen.get(host) ?? { at: clock };
      // Names can be made up.
      if (seen.size < mostHosts) seen.set(host, one);
      hostOf[entry] = one;
    },
    /** A reading of it. */
    count: (entry: number) => {
      readings += 1;
      const host = hostOf[entry];
      if (host !== undefined) host.at = clock;
    },
    /** Measures the rate and the hosts; to be called every second. */
    tick: () => {
      clock = now();
      ticks = [...ticks.slice(-rateSpan), { at: clock, readings }];
    },
    rate: () => {
      const [first, last] = [ticks[0], ticks.at(-1)];
      if (first === undefined || last === undefined || last.at <= first.at) return 0;
      return ((last.readings - first.readings) / (last.at - first.at)) * 1000;
    },
    hosts: () => {
      let count = 0;
      for (const { at } of seen.values()) if (at > clock - hostLasts) count += 1;
      return count;
    },
  };
}

/** One line: `9,980 readings/s · 2,000 hosts · lost 0 · refused 0 · lag 0.0 s`. */
export function statusLine({ rate, hosts, lost, refused, lag, forward }: ReceivingStatus): string {
  const number = (value: number) => Math.round(value).toLocaleString("en-US");
  const parts = (word: string, counts: Counts) => {
    const some = Object.entries(counts).filter(([, count]) => count > 0);
    const texts = some.map(([what, count]) => `${number(count)} ${what}`);
    return `${word} ${texts.length === 0 ? "0" : texts.join(", ")}`;
  };
  return [
    `${number(rate)} readings/s`,
    `${number(hosts)} ${hosts === 1 ? "host" : "hosts"}`,
    parts("lost", lost),
    parts("refused", refused),
    `lag ${lag.toFixed(1)} s`,
    ...(forward === undefined ? [] : [forwardText(forward, number)]),
  ].join(" · ");
}

/** `forwarded 9,980, 20 wait for 1.2 s`. */
function forwardText({ sent, refused, dropped, waiting, lag }: ForwardCounters, number: (value: number) => string) {
  const parts = [
    `forwarded ${number(sent)}`,
    ...(waiting > 0 ? [`${number(waiting)} wait for ${lag.toFixed(1)} s`] : []),
    ...(refused > 0 ? [`${number(refused)} refused`] : []),
    ...(dropped > 0 ? [`${number(dropped)} dropped`] : []),
  ];
  return parts.join(", ");
}

/** The same in OpenMetrics. */
export function statusMetrics({ readings, hosts, lost, refused, notifications, lag, forward }: ReceivingStatus) {
  const family = (name: string, type: string, help: string, samples: readonly (readonly [string, number])[]) => [
    `# TYPE tongs_${name} ${type}`,
    `# HELP tongs_${name} ${help}`,
    ...samples.map(([labels, value]) => `tongs_${name}${type === "counter" ? "_total" : ""}${labels} ${value}`),
  ];
  const byWhat = (counts: Counts) =>
    Object.entries(counts).map(([what, count]) => [`{what="${what}"}`, count] as const);
  const counter = (name: string, help: string, value: number) => family(name, "counter", help, [["", value]]);
  const gauge = (name: string, help: string, value: number) => family(name, "gauge", help, [["", value]]);
  return [
    ...counter("received_readings", "Readings that were received.", readings),
    ...family("lost", "counter", "What came and was not kept.", byWhat(lost)),
    ...family("refused", "counter", "What was refused, so that its sender knows.", byWhat(refused)),
    ...(notifications === undefined
      ? []
      : counter("received_notifications", "Notifications, which are not recorded.", notifications)),
    ...gauge("hosts", "Hosts of which a reading came in the last five minutes.", hosts),
    ...gauge("lag_seconds", "How long what was taken last had waited.", Number(lag.toFixed(3))),
    ...(forward === undefined
      ? []
      : [
          ...counter("forwarded_readings", "Readings that the engine has.", forward.sent),
          ...counter("forward_refused_readings", "Readings that the engine refused.", forward.refused),
          ...counter("forward_dropped_readings", "Readings that the spool could not keep.", forward.dropped),
          ...gauge("forward_waiting_readings", "Readings that wait in the spool.", forward.waiting),
          ...gauge("forward_lag_seconds", "How long the oldest of them has waited.", Number(forward.lag.toFixed(3))),
        ]),
    "# EOF\n",
  ].join("\n");
}
