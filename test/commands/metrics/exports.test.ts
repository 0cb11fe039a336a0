import { describe, expect, test } from "vitest";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, reading, records, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");

interface Given {
  readonly second?: number;
  readonly values: readonly Record<string, number | string>[];
  readonly names?: readonly string[];
  readonly identifier?: Record<string, string>;
}

async function decoded(given: readonly Given[], ...words: string[]) {
  const all = given.map(({ second, values, names: ds_names = ["value"], identifier }) =>
    reading(values, second, { ds_names, interval: "10s", ...(identifier && { identifier }) }),
  );
  const stdin = await encoded(...all);
  const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", "--lenient", ...words], { stdin });
  return { code, text: stdout.toString(), stdout, stderr };
}

describe("metrics decode --format influx", () => {
  const influx = async (...given: Given[]) => (await decoded(given, "--format", "influx")).text;

  test("writes a line for each reading, with exact integers and nanoseconds", async () => {
    const { stdout } = await tongsBytes(["metrics", "decode", all, "--format", "influx", "--type", "if_octets"]);
    expect(stdout.toString().split("\n")[0]).toMatch(
      /^if_octets,host=edge-01\.example\.net,plugin=interface,plugin_instance=\w+ rx=\d+i,tx=\d+i 17952471\d{11}$/,
    );
    expect(await influx({ second: 0, values: [{ counter: "18446744073709551615" }] })).toBe(
      "t,host=h,plugin=p value=18446744073709551615u 1767225600000000000\n",
    );
  });

  test("leaves out NaN and the infinities, and a reading without other values", async () => {
    const names = ["a", "b", "c"];
    const given = [{ values: [{ gauge: "NaN" }, { gauge: 0.5 }, { gauge: "Infinity" }], names }];
    const ran = await decoded(given, "--format", "influx");
    expect([ran.text, ran.stderr]).toEqual([
      "t,host=h,plugin=p b=0.5\n",
      expect.stringContaining("Left out 2 values: InfluxDB has no NaN and no infinities"),
    ]);
    expect(await influx({ values: [{ gauge: "NaN" }] })).toBe("");
  });

  test("tells values apart whose sender left out their names", async () => {
    expect(await influx({ values: [{ gauge: 1 }, { gauge: 2 }], names: [] })).toBe(
      "t,host=h,plugin=p value_1=1,value_2=2\n",
    );
  });

  test("tells hosts with different control characters apart", async () => {
    const hosts = ["a b", "a\nb", "a\rb", "a\0b"].map((host) => ({ values: [{ gauge: 1 }], identifier: { host } }));
    expect(new Set((await influx(...hosts)).trim().split("\n")).size).toBe(4);
  });

  test("escapes names so that none can add a tag, a field or a line", async () => {
    const identifier = { host: "a b,x=1\nevil y=1", plugin: "p\\", type: "t t,z", type_instance: "=" };
    expect(await influx({ values: [{ gauge: 1 }], names: ["v w=2,q"], identifier })).toBe(
      "t\\ t\\,z,host=a\\ b\\,x\\=1␊evil\\ y\\=1,plugin=p/,type_instance=\\= v\\ w\\=2\\,q=1\n",
    );
  });
});

describe("metrics decode --format openmetrics", () => {
  const openMetrics = async (...given: Given[]) => (await decoded(given, "--format", "openmetrics")).text;

  test("groups samples by family and metric in order of time, and ends with EOF", async () => {
    const { stdout } = await tongsBytes(["metrics", "decode", all, "--format", "openmetrics"]);
    const lines = stdout.toString().trimEnd().split("\n");
    expect(lines.at(-1)).toBe("# EOF");
    const families = lines.flatMap((line) => (line.startsWith("# TYPE ") ? [line.split(" ")[2]] : []));
    expect(new Set(families).size).toBe(families.length);
    const seen = new Set<string>();
    let metric = "";
    let time = Number.NEGATIVE_INFINITY;
    for (const line of lines.filter((one) => !one.startsWith("#"))) {
      const [, name = "", at] = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) \S+(?: (\S+))?$/.exec(line) ?? [];
      expect(name).not.toBe("");
      if (name !== metric) {
        expect(seen.has(name)).toBe(false);
        seen.add(name);
        time = Number.NEGATIVE_INFINITY;
      }
      expect(Number(at)).toBeGreaterThanOrEqual(time);
      [metric, time] = [name, Number(at)];
    }
    expect(stdout.toString()).toMatch(
      /# TYPE collectd_interface_if_octets_rx counter\ncollectd_interface_if_octets_rx_total\{/,
    );
  });

  test("names labels as write_prometheus does, and escapes them", async () => {
    const identifier = { host: 'h"\n\\', plugin: "cpu", plugin_instance: "0", type: "cpu", type_instance: "idle" };
    expect(await openMetrics({ second: 0, values: [{ derive: 5 }], identifier })).toBe(
      '# TYPE collectd_cpu counter\ncollectd_cpu_total{cpu="0",type="idle",instance="h\\"\\n\\\\"} 5 1767225600\n# EOF\n',
    );
  });

  test("has an unknown type for a derive that is negative, and another name where two would be the same", async () => {
    const text = await openMetrics(
      { second: 1, values: [{ derive: -5 }], identifier: { host: "h", plugin: "a-b", type: "t" } },
      { second: 0, values: [{ gauge: "NaN" }], identifier: { host: "h", plugin: "a_b", type: "t" } },
      { second: 0, values: [{ gauge: 1 }], names: ["created"], identifier: { host: "h", plugin: "c", type: "t" } },
      { second: 0, values: [{ counter: "2" }], identifier: { host: "h", plugin: "c", type: "t" } },
      { second: 0, values: [{ counter: "3" }], identifier: { host: "h", plugin: "d", type: "t" } },
      { second: 0, values: [{ gauge: 4 }], identifier: { host: "h", plugin: "d", type: "t_total_total" } },
    );
    expect(text).toBe(
      '# TYPE collectd_a_b_t_total unknown\ncollectd_a_b_t_total{instance="h"} -5 1767225601\n' +
        '# TYPE collectd_a_b_t_gauge gauge\ncollectd_a_b_t_gauge{instance="h"} NaN 1767225600\n' +
        '# TYPE collectd_c_t_created gauge\ncollectd_c_t_created{instance="h"} 1 1767225600\n' +
        '# TYPE collectd_c_t_counter counter\ncollectd_c_t_counter_total{instance="h"} 2 1767225600\n' +
        '# TYPE collectd_d_t counter\ncollectd_d_t_total{instance="h"} 3 1767225600\n' +
        '# TYPE collectd_d_t_total_gauge gauge\ncollectd_d_t_total_gauge{instance="h"} 4 1767225600\n# EOF\n',
    );
  });

  test("leaves out values without a time of a series that has others with one, and says so", async () => {
    const given = [{ values: [{ gauge: 1 }] }, { second: 0, values: [{ gauge: "Infinity" }] }];
    const { text, stderr } = await decoded(given, "--format", "openmetrics");
    expect([text, stderr]).toEqual([
      '# TYPE collectd_p_t gauge\ncollectd_p_t{instance="h"} +Inf 1767225600\n# EOF\n',
      expect.stringContaining("Left out 1 value: a series in OpenMetrics has a time with each value or with none"),
    ]);
    expect(await openMetrics({ values: [{ gauge: 1 }] })).toContain('collectd_p_t{instance="h"} 1\n');
  });
});

describe("metrics decode --rates and --every", () => {
  const values = (kind: string, all: readonly (string | number)[]) =>
    all.map((value, index) => ({ second: index * 10, values: [{ [kind]: value }] }));
  const gauges = async (given: readonly Given[], ...words: string[]) => {
    const { stdout } = await decoded(given, ...words);
    return (records(stdout) as { values: { gauge: number }[] }[]).map((one) => one.values.map(({ gauge }) => gauge));
  };

  test("prints rates from the second reading on, and NaN after a reset", async () => {
    expect(await gauges(values("counter", ["100", "200", "50", "60"]), "--rates")).toEqual([[10], ["NaN"], [1]]);
    expect(await gauges(values("counter", ["4294967290", "10"]), "--rates")).toEqual([[1.6]]);
    expect(await gauges(values("counter", ["4294967306", "10"]), "--rates")).toEqual([["NaN"]]);
    expect(await gauges(values("absolute", ["7", "30"]), "--rates")).toEqual([[3]]);
    expect(await gauges(values("gauge", [7, 30]), "--rates")).toEqual([[7], [30]]);
    expect(await gauges(values("derive", ["100", "90"]), "--rates")).toEqual([[-1]]);
  });

  test("makes a falling derive unknown where types.db says that its minimum is 0", async () => {
    const cwd = emptyFolder();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${cwd}/types.db`, "t  value:DERIVE:0:U\n");
    const file = `${cwd}/types.db`;
    expect(await gauges(values("derive", ["100", "90", "95"]), "--rates", "--types-db", file)).toEqual([
      ["NaN"],
      [0.5],
    ]);
  });

  test("has the same rates as metrics stat", async () => {
    const { stdout } = await tongsBytes(["metrics", "decode", all, "--plugin", "cpu", "--rates"]);
    const rates = (records(stdout) as { identifier: object; values: { gauge: number }[] }[]).flatMap((one) =>
      JSON.stringify(one.identifier).includes('"plugin_instance":"0","type":"cpu","type_instance":"idle"')
        ? one.values.map(({ gauge }) => gauge)
        : [],
    );
    const words = ["--plugin", "cpu", "--plugin-instance", "0", "--type-instance", "idle", "--jsonl"];
    const [row] = records((await tongsBytes(["metrics", "stat", all, ...words])).stdout) as Record<string, number>[];
    expect([Math.min(...rates), Math.max(...rates)]).toEqual([row?.["rate_min"], row?.["rate_max"]]);
  });

  test("prints average, min, max and last of each span, without NaN", async () => {
    const given = values("gauge", [1, "NaN", 5, 3, 9, 9, 4]);
    const { stdout } = await decoded(given, "--every", "1m");
    expect(records(stdout)).toMatchObject([
      {
        time: "2026-01-01T00:00:00Z",
        interval: "60s",
        ds_names: ["average", "min", "max", "last"],
        values: [5.4, 1, 9, 9].map((gauge) => ({ gauge })),
      },
      { time: "2026-01-01T00:01:00Z", values: [4, 4, 4, 4].map((gauge) => ({ gauge })) },
    ]);
    expect(await gauges(values("derive", ["0", "10", "40"]), "--every", "1h")).toEqual([[2, 1, 3, 3]]);
  });

  test("averages values whose sum is too large for a double", async () => {
    const averages = async (...given: (number | string)[]) =>
      (await gauges(values("gauge", given), "--every", "1m")).map(([average]) => average);
    const most = Number.MAX_VALUE;
    expect(await averages(-1.5e308, -1.5e308)).toEqual([-1.5e308]);
    expect(await averages(1.5e308, 1.5e308, -1.5e308, -1.5e308)).toEqual([0]);
    expect(await averages(most, most, most)).toEqual([most]);
    // The next span begins again.
    expect(await averages(most, most, most, most, most, most, 1, 2)).toEqual([most, 1.5]);
    expect(await averages(1, "Infinity", 2)).toEqual(["Infinity"]);
    expect(await averages("-Infinity", "Infinity")).toEqual(["NaN"]);
  });

  test("names the statistics of several data sources, and works in every format", async () => {
    const given = [{ second: 0, values: [{ gauge: 1 }, { gauge: 2 }], names: ["rx", "tx"] }];
    const { text } = await decoded(given, "--every", "30s", "--format", "influx");
    expect(text).toBe(
      "t,host=h,plugin=p rx_average=1,rx_min=1,rx_max=1,rx_last=1,tx_average=2,tx_min=2,tx_max=2,tx_last=2 1767225600000000000\n",
    );
    expect((await decoded(given, "--every", "30s", "--format", "csv")).text.split("\n")).toHaveLength(10);
    expect(JSON.parse((await decoded(given, "--every", "30s", "--format", "json")).text)).toHaveLength(1);
  });

  test("names the statistics of data sources without names by their numbers", async () => {
    const given = [{ second: 0, values: [{ gauge: 1 }, { gauge: 2 }], names: [] }];
    const statistics = ["average", "min", "max", "last"];
    const namesOf = async (all: readonly Given[]) =>
      (records((await decoded(all, "--every", "30s")).stdout) as { ds_names: string[] }[])[0]?.ds_names;
    expect(await namesOf(given)).toEqual(
      ["value_1", "value_2"].flatMap((name) => statistics.map((one) => `${name}_${one}`)),
    );
    expect(await namesOf([{ second: 0, values: [{ gauge: 1 }], names: [] }])).toEqual(statistics);
  });

  test("says how many late readings were left out", async () => {
    const given = [0, 70, 10, 80].map((second) => ({ second, values: [{ gauge: second }] }));
    const { stderr, stdout } = await decoded(given, "--every", "1m");
    expect(records(stdout)).toHaveLength(2);
    expect(stderr).toContain("Skipped 1 late reading");
    expect(await decoded(given, "--every", "0s")).toMatchObject({ code: 2 });
    expect(await decoded(given, "--every", "1x")).toMatchObject({ code: 2 });
  });
});
