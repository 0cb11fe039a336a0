import { expect, test } from "vitest";
import { dataLines, dataPath } from "../../metrics/data.ts";
import { records, tongsBytes } from "./bytes.ts";

test("prints what collectd's own write_http plugin printed of the same readings", async () => {
  const name = "collectd-5.12.write_http";
  const { code, stdout } = await tongsBytes(["metrics", "decode", dataPath(`${name}.bin`)]);
  const ours = records(stdout) as unknown as Printed[];
  // As texts, because JSON.parse rounds integers of 64 bits.
  const theirs = dataLines(`${name}.ndjson`).map((line) => {
    const quoted = line.replace(
      /"values":\[(.*?)\]/,
      (_, values: string) => `"values":["${values.replaceAll(",", '","')}"]`,
    );
    return JSON.parse(quoted) as Theirs;
  });
  expect([code, ours.length]).toEqual([0, 153]);
  const inItsPrecision = ({ values, ds_names, time, interval, identifier }: Printed): Theirs => {
    const both = values.flatMap((one) => Object.entries(one));
    const { plugin_instance = "", type_instance = "", ...rest } = identifier;
    return {
      values: both.map(([kind, value]) => (kind === "gauge" ? gaugeText(value) : value)),
      dstypes: both.map(([kind]) => kind),
      dsnames: ds_names,
      time: Number(seconds(time).toFixed(3)),
      interval: Number(Number.parseFloat(interval).toFixed(3)),
      ...rest,
      plugin_instance,
      type_instance,
    };
  };
  const withItsGauges = (one: Theirs) => {
    const values = one.values.map((value, at) => (one.dstypes[at] === "gauge" ? gaugeText(value) : value));
    return { ...one, values };
  };
  expect(ours.map(inItsPrecision)).toEqual(theirs.map(withItsGauges));
});

interface Theirs extends Record<string, unknown> {
  readonly values: readonly string[];
  readonly dstypes: readonly string[];
}

interface Printed {
  readonly values: readonly Record<string, string>[];
  readonly ds_names: readonly string[];
  readonly time: string;
  readonly interval: string;
  readonly identifier: Record<string, string>;
}
/** A gauge with the 15 digits of write_http, which prints null for what is no number. */
function gaugeText(value: unknown): string {
  const number = Number(value === "null" ? Number.NaN : value);
  if (Object.is(number, -0)) return "-0";
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : "null";
}

function seconds(time: string): number {
  const [whole = "", fraction = "0"] = time.slice(0, -1).split(".");
  return Date.parse(`${whole}Z`) / 1000 + Number(`0.${fraction}`);
}
