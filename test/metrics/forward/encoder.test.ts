import { describe, expect, test } from "vitest";
import { createEncoder } from "../../../src/metrics/forward/encoder.ts";
import {
  ExportMetricsServiceRequest,
  type NumberDataPoint,
} from "../../../src/metrics/generated/opentelemetry/metrics.ts";
import { encodeReading } from "../../../src/metrics/reading/codec.ts";
import { tongsBytes } from "../../commands/metrics/bytes.ts";
import { dataBytes, dataPath, delimitedMessages } from "../data.ts";
import { type Sample, samplesIn, seriesText, sorted, writeRequestIn } from "./decoded.ts";
import { reading, readingWith } from "./readings.ts";

const file = dataPath("collectd-5.12.delimited.bin");
const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));

const bodyOf = (format: "remote-write" | "influx" | "otlp", readings: readonly Uint8Array[]) => {
  const { body, faults } = createEncoder(format).encode(readings);
  expect([...faults]).toEqual([]);
  return body ?? new Uint8Array();
};

function valueText(value: NumberDataPoint["value"]): string {
  return value?.$case === "as_int" ? `as_int ${value.as_int}` : `as_double ${value?.as_double}`;
}

function milliseconds(seconds = ""): number {
  const [whole = "", fraction = ""] = seconds.split(".");
  const sign = whole.startsWith("-") ? -1n : 1n;
  // Microseconds are enough to round down, and exact in a double.
  const micros = BigInt(whole) * 1_000_000n + sign * BigInt(fraction.padEnd(9, "0").slice(0, 6));
  return Math.floor(Number(micros) / 1000);
}

/** The samples of OpenMetrics text. */
function samplesOfText(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value = "", seconds] = /^([^#{ ]+)(?:\{(.*)\})? (\S+) (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)].map(
      ([, label = "", text = ""]) => [label, JSON.parse(text)] as const,
    );
    return [
      { series: seriesText(name, pairs), value: Number(value.replace("Inf", "Infinity")), time: milliseconds(seconds) },
    ];
  });
}

describe("bodies of forwarded readings", () => {
  test("of remote write and OTLP have the names, labels, values and times that --format openmetrics prints", async () => {
    const { stdout } = await tongsBytes(["metrics", "decode", file, "--format", "openmetrics"]);
    const expected = sorted(samplesOfText(stdout.toString()));
    expect(expected.length).toBeGreaterThan(messages.length);
    expect(sorted(samplesIn("remote-write", bodyOf("remote-write", messages)))).toEqual(expected);
    const { body = new Uint8Array(), faults } = createEncoder("otlp").encode(messages);
    expect([...new Set(faults.values())]).toEqual(["the time is before 1970, which OTLP does not have"]);
    const since1970 = expected.filter((sample) => !/ -\d+ \S+$/.test(sample));
    expect(sorted(samplesIn("otlp", body))).toEqual(since1970);
  });

  test("of Influx are the lines that --format influx prints", async () => {
    const { stdout } = await tongsBytes(["metrics", "decode", file, "--format", "influx"]);
    expect(Buffer.from(bodyOf("influx", messages)).toString()).toBe(stdout.toString());
  });

  test("of remote write have each series once, its labels by name and its samples by time", () => {
    const { timeseries } = writeRequestIn(bodyOf("remote-write", [...messages].reverse()));
    const keys = timeseries.map(({ labels }) => JSON.stringify(labels));
    expect(new Set(keys).size).toBe(keys.length);
    for (const { labels, samples } of timeseries) {
      const names = labels.map(({ name }) => name);
      expect(names).toEqual([...names].sort());
      const times = samples.map(({ timestamp }) => timestamp.toNumber());
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }
  });

  test("of OTLP have cumulative sums without a start, monotonic unless negative, and exact integers", () => {
    const big = 2n ** 63n - 1n;
    const body = bodyOf("otlp", [
      readingWith({ derive: big }, 1),
      readingWith({ derive: -5n }, 2),
      readingWith({ counter: 2n ** 64n - 1n }, 3),
      readingWith({ gauge: 0.5 }, 4),
      readingWith({ absolute: 7n }, 5),
    ]);
    const [resource] = ExportMetricsServiceRequest.decode(body).resource_metrics;
    const shown = resource?.scope_metrics[0]?.metrics.map(({ name, data }) => {
      if (data?.$case !== "sum") return [name, data?.gauge.data_points.map(({ value }) => valueText(value))];
      const { is_monotonic, aggregation_temporality, data_points } = data.sum;
      const points = data_points.map(
        ({ value, start_time_unix_nano }) => `${valueText(value)} from ${start_time_unix_nano}`,
      );
      return [name, is_monotonic, aggregation_temporality, points];
    });
    expect(shown).toEqual([
      ["collectd_p_t_total", true, 2, [`as_int ${big} from 0`, `as_double ${2 ** 64} from 0`]],
      ["collectd_p_t_total", false, 2, ["as_int -5 from 0"]],
      ["collectd_p_t", ["as_double 0.5", "as_int 7"]],
    ]);
  });

  test("leave out what has no form there, and say which readings and why", () => {
    const gauge = { gauge: Number.NaN };
    const untimed: Uint8Array = encodeReading({ ...reading({ gauge: 1 }, 1), time: undefined });
    const other = { host: "h", plugin: "a-b", plugin_instance: "", type: "t", type_instance: "" };
    const given = [
      readingWith(gauge, 1),
      untimed,
      readingWith({ gauge: 1 }, -5),
      readingWith({ gauge: 1 }, 3, other),
      readingWith({ gauge: 2 }, 4, { ...other, plugin: "a.b" }),
      Uint8Array.of(0xff),
    ];
    for (const format of ["remote-write", "otlp"] as const) {
      const { faults, leftOut, body = new Uint8Array() } = createEncoder(format).encode(given);
      const before1970 = format === "otlp";
      expect([...faults.keys()]).toEqual(before1970 ? [1, 2, 4, 5] : [1, 4, 5]);
      expect([...faults.values()].slice(0, -1)).toEqual([
        "the reading has no time",
        ...(before1970 ? ["the time is before 1970, which OTLP does not have"] : []),
        "h/a.b/t:value has the name and labels of h/a-b/t:value: collectd_a_b_t",
      ]);
      expect(leftOut).toBe(0);
      expect(sorted(samplesIn(format, body))).toEqual([
        'collectd_a_b_t{instance="h"} 3000 1',
        ...(before1970 ? [] : ['collectd_p_t{instance="h"} -5000 1']),
        'collectd_p_t{instance="h"} 1000 NaN',
      ]);
    }
    expect(createEncoder("influx").encode(given.slice(0, 2))).toEqual({
      body: undefined,
      faults: new Map([[1, "the reading has no time"]]),
      leftOut: 1,
    });
  });
});
