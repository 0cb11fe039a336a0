import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createTailCache } from "../../../src/metrics/decode/tail-cache.ts";
import { convertRecording } from "../../../src/metrics/parquet/convert.ts";
import { createParquetOutput } from "../../../src/metrics/parquet/output.ts";
import { columnNames, sortedBy } from "../../../src/metrics/parquet/schema.ts";
import { dataBytes, dataLines, dataPath, delimitedMessages } from "../../metrics/data.ts";
import { messageDecoder } from "../../metrics/decoded.ts";
import { jsonRows, parquetMetadata, parquetRows, rowText } from "../../metrics/parquet/rows.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, reading, tongsBytes } from "./bytes.ts";

const name = "collectd-5.12.delimited.bin";
const all = dataPath(name);
const { signal } = new AbortController();

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** DuckDB in this process; a text says why it cannot be loaded. */
async function openDuckDb(): Promise<Query | string> {
  try {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } catch (error) {
    return `DuckDB cannot be loaded: ${(error as Error).message}`;
  }
}

const duckDb = await openDuckDb();

/** Runs a query, or skips the test where there is no DuckDB. */
function query(context: { skip: (reason: string) => never }, sql: string): Promise<Record<string, unknown>[]> {
  return typeof duckDb === "string" ? context.skip(duckDb) : duckDb(sql);
}

/** Compares what rows are sorted by; names by their bytes. */
function compareKeys(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [at, left] of one.entries()) {
    const right = other[at];
    if (left === right) continue;
    return typeof left === "bigint"
      ? left < (right as bigint)
        ? -1
        : 1
      : Buffer.from(`${left}`).compare(Buffer.from(`${right}`));
  }
  return 0;
}

interface Expected {
  readonly kind: string;
  readonly value: string;
}

/** The values of the recording, from the JSON of libprotobuf. */
function expectedValues(): Expected[] {
  return dataLines("collectd-5.12.delimited.ndjson").flatMap((line) =>
    (JSON.parse(line) as { values: Record<string, string | number>[] }).values.map((value) => {
      const [kind = "", text = ""] = Object.entries(value)[0] ?? [];
      return { kind, value: String(text) };
    }),
  );
}

async function written(): Promise<string> {
  const cwd = emptyFolder();
  const { code, stdout } = await tongsBytes(["metrics", "decode", all, "--format", "parquet", "-o", "a.parquet"], {
    cwd,
  });
  expect([code, stdout.length, readdirSync(cwd)]).toEqual([0, 0, ["a.parquet"]]);
  return join(cwd, "a.parquet");
}

describe("metrics decode --format parquet", () => {
  test("is read by DuckDB with the counts, sums and extremes of the JSON", async (context) => {
    const file = await written();
    const rows = await query(
      context,
      `select kind, count(*)::text n, sum(counter)::text c, min(counter)::text c1, max(counter)::text c2, sum(derive)::text d,
       min(derive)::text d1, max(derive)::text d2, sum(absolute)::text a, count(value) filter (isnan(value))::text nan,
       count(*) filter (isinf(value))::text inf, sum(value) filter (isfinite(value) and abs(value) < 1e12) total
       from '${file}' group by kind order by kind`,
    );
    const values = expectedValues();
    for (const row of rows) {
      const own = values.filter(({ kind }) => kind === row["kind"]);
      const integers = own.flatMap(({ value }) => (row["kind"] === "gauge" ? [] : [BigInt(value)]));
      const sum = integers.length === 0 ? null : String(integers.reduce((total, one) => total + one, 0n));
      const sorted = integers.toSorted((one, other) => (one < other ? -1 : 1));
      const is = (kind: string, text: unknown) => (row["kind"] === kind ? text : null);
      expect(row).toMatchObject({
        n: String(own.length),
        c: is("counter", sum),
        d: is("derive", sum),
        a: is("absolute", sum),
        c1: is("counter", String(sorted[0])),
        c2: is("counter", String(sorted.at(-1))),
        d1: is("derive", String(sorted[0])),
        d2: is("derive", String(sorted.at(-1))),
        nan: String(own.filter(({ value }) => value === "NaN").length),
        inf: String(own.filter(({ value }) => /Infinity/.test(value)).length),
      });
      const numbers = own.map(({ value }) => Number(value)).filter((one) => Math.abs(one) < 1e12);
      expect(Number(row["total"])).toBeCloseTo(
        numbers.reduce((total, one) => total + one, 0),
        0,
      );
    }
    expect(rows.map(({ kind }) => kind)).toEqual(["absolute", "counter", "derive", "gauge"]);
  });

  test("refuses a time that a format cannot hold, and writes what is sound beside it", async () => {
    const cwd = emptyFolder();
    const [good, far, odd] = ["2026-01-31T07:08:09Z", { seconds: "1769843289000" }, { seconds: "5", nanos: 1e9 }];
    const given = { interval: "10s", ds_names: [] };
    const record = async (name: string, ...times: unknown[]) => {
      const readings = times.map((time) => reading([{ gauge: 1 }], undefined, { time, ...given }));
      writeFileSync(join(cwd, name), await encoded(...readings));
    };
    await record("far.bin", good, far, good);
    await record("odd.bin", good, odd, good);
    const run = (...words: string[]) => tongsBytes(["metrics", "decode", ...words], { cwd });
    const rows = async () => (await parquetRows(join(cwd, "a.parquet"))).map(({ time_ns }) => time_ns);
    const exact = 1_769_843_289_000_000_000n;
    for (const [file, what] of [
      ["far.bin", "@1769843289000s is outside the years 1678 to 2261"],
      ["odd.bin", "@5s+1000000000ns has invalid nanoseconds"],
    ] as const) {
      const refused = {
        code: 13,
        stderr: expect.stringMatching(RegExp(`${file}: .*message 2, byte \\d+: the time ${what.replace("+", "\\+")}`)),
      };
      const parquet = [file, "--format", "parquet", "-o", "a.parquet"];
      expect(await run(...parquet)).toMatchObject(refused);
      expect(await rows()).toEqual([exact]);
      expect(await run(...parquet, "--skip-errors")).toMatchObject(refused);
      expect(await rows()).toEqual([exact, exact]);
      const influx = await run(file, "--format", "influx", "--skip-errors");
      expect([influx.code, influx.stdout.toString()]).toEqual([13, `t,host=h,plugin=p value=1 ${exact}\n`.repeat(2)]);
      // Of a span, it is the reading that is said.
      expect(await run(...parquet, "--every", "1h")).toMatchObject(refused);
    }
    for (const format of ["putval", "openmetrics"]) {
      const { code, stdout } = await run("odd.bin", "--format", format, "--skip-errors");
      expect([code, stdout.toString().match(/1769843289/g)?.length, stdout.toString()]).toEqual([
        13,
        2,
        expect.not.stringContaining("1000000000"),
      ]);
    }
    // JSON says what it is.
    expect((await run("odd.bin", "--format", "ndjson")).stdout.toString()).toContain(
      '"time":{"seconds":"5","nanos":1000000000}',
    );
  });

  test("has a time in microseconds of UTC, which Spark and Hive read, and no timestamp in nanoseconds", async () => {
    const { schema } = await parquetMetadata(await written());
    const [, time, exact] = schema;
    const micros = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" };
    expect(time).toMatchObject({ name: "time", converted_type: "TIMESTAMP_MICROS", logical_type: micros });
    expect(exact).toEqual({ name: "time_ns", type: "INT64", repetition_type: "OPTIONAL" });
    expect(schema.filter(({ logical_type }) => logical_type?.type === "TIMESTAMP")).toHaveLength(1);
  });

  test("has each value of the JSON, sorted by host, series and time", async () => {
    const rows = await parquetRows(await written());
    const expected = dataLines("collectd-5.12.delimited.ndjson").flatMap(jsonRows);
    expect(rows.map(rowText).sort()).toEqual(expected.map(rowText).sort());
    const keys = rows.map((row) => sortedBy.map((name) => row[name]));
    for (const [at, key] of keys.entries())
      if (at > 0) expect(compareKeys(keys[at - 1] ?? [], key)).toBeLessThanOrEqual(0);
  });

  test("keeps times exact to the nanosecond, as DuckDB reads them", async (context) => {
    const file = await written();
    const rows = await query(context, `select epoch_us(time)::text us, time_ns::text ns from '${file}' order by all`);
    const expected = dataLines("collectd-5.12.delimited.ndjson").flatMap(jsonRows);
    const times = expected.map(({ time, time_ns }) => ({ us: String(time), ns: String(time_ns) }));
    expect(rows).toEqual(times.sort((one, other) => (one.ns < other.ns ? -1 : 1)));
  });

  test("says what it is sorted by, and has dictionaries, whole statistics and indexes of pages", async (context) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "many.bin"), Buffer.concat(Array.from({ length: 12 }, () => dataBytes(name))));
    const words = ["metrics", "decode", "many.bin", "--format", "parquet", "-o", "many.parquet"];
    expect(await tongsBytes(words, { cwd })).toMatchObject({ code: 0 });
    const { row_groups } = await parquetMetadata(join(cwd, "many.parquet"));
    for (const { columns, sorting_columns } of row_groups) {
      const order = sorting_columns?.map(({ column_idx }) => columns[column_idx]?.meta_data?.path_in_schema[0]);
      expect(order).toEqual(sortedBy);
      for (const { meta_data, column_index_length, offset_index_length } of columns) {
        const [column = ""] = meta_data?.path_in_schema ?? [];
        expect([column, meta_data?.statistics?.null_count]).toEqual([column, expect.any(BigInt)]);
        expect([column, offset_index_length]).toEqual([column, expect.any(Number)]);
        if (column !== "value") expect([column, column_index_length]).toEqual([column, expect.any(Number)]);
        const isText = meta_data?.type === "BYTE_ARRAY";
        expect([column, meta_data?.encodings.includes("RLE_DICTIONARY")]).toEqual([
          column,
          isText || column === "interval",
        ]);
      }
      const { statistics } = columns[3]?.meta_data ?? {};
      expect(statistics).toMatchObject({ min_value: "edge-01.example.net", max_value: "edge-01.example.net" });
    }
    // DuckDB skips by both.
    const [row] = await query(
      context,
      `select count(*)::int n from '${cwd}/many.parquet' where plugin = 'load' and time_ns >= 0`,
    );
    const expected = dataLines("collectd-5.12.delimited.ndjson").flatMap(jsonRows);
    expect(row).toEqual({ n: 12 * expected.filter(({ plugin }) => plugin === "load").length });
  });

  test("writes Hive folders by day and host, which DuckDB reads as columns, and adds files to them", async (context) => {
    const cwd = emptyFolder();
    const runBy = (by: string, ...words: string[]) => {
      const args = ["metrics", "decode", all, "--format", "parquet", "--partition-by", by, "-o", "set"];
      return tongsBytes([...args, ...words], { cwd });
    };
    const run = (...words: string[]) => runBy("day,host", ...words);
    expect(await run()).toMatchObject({ code: 0 });
    const before = readdirSync(join(cwd, "set"), { recursive: true });
    // The rows would be there twice.
    expect(await run()).toMatchObject({ code: 9, stderr: expect.stringContaining("set already has a dataset") });
    expect(readdirSync(join(cwd, "set"), { recursive: true })).toEqual(before);
    expect(await run("--append")).toMatchObject({ code: 0 });
    // Readers that find the columns of folders refuse two layouts.
    for (const [other, layout] of [
      ["day", "day"],
      ["host", "host"],
      ["hour,host", "day,hour,host"],
    ] as const) {
      const appended = readdirSync(join(cwd, "set"), { recursive: true });
      expect(await runBy(other, "--append")).toMatchObject({
        code: 9,
        stderr: expect.stringContaining(`set has a dataset by day,host, not by ${layout}`),
      });
      expect(readdirSync(join(cwd, "set"), { recursive: true })).toEqual(appended);
    }
    for (const other of [
      ["--format", "csv"],
      ["--format", "parquet", "-o", "a.parquet"],
    ]) {
      const ran = await tongsBytes(["metrics", "decode", all, ...other, "--append"], { cwd });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--append requires") });
    }
    const paths = readdirSync(join(cwd, "set"), { recursive: true }).map(String);
    expect(paths.filter((path) => path.startsWith("day=2026-11-21/host=edge-01.example.net/"))).toHaveLength(2);
    expect(paths.filter((path) => path.endsWith(".partial"))).toEqual([]);
    // pandas and pyarrow refuse a host that is both.
    const columns = async (path = "") => (await parquetMetadata(join(cwd, "set", path))).schema.map((one) => one.name);
    expect(await columns(paths.find((path) => path.endsWith(".parquet")))).toEqual(
      ["readings", ...columnNames].filter((one) => one !== "host"),
    );
    const [row] = await query(
      context,
      `select count(*)::int n, count(distinct day)::int as dates from read_parquet('${cwd}/set/**/*.parquet', hive_partitioning=true) where host = 'edge-01.example.net'`,
    );
    expect(row).toEqual({ n: 2 * expectedValues().length, dates: 6 });
  });

  test("never leaves the folder, whatever a host is called, and reads it back", async (context) => {
    const cwd = emptyFolder();
    const hosts = ["../../up", "..", "a=b/c%", "", "übung", "null", "__HIVE_DEFAULT_PARTITION__", "a b\t~"];
    const of = (host: string) => ({ time: "2026-01-31T07:08:09Z", identifier: { host, plugin: "p", type: "t" } });
    const stdin = await encoded(...hosts.map((host) => reading([{ gauge: 1 }], undefined, of(host))));
    const words = ["metrics", "decode", "--format", "parquet", "--partition-by", "hour,host", "-o", "set"];
    expect(await tongsBytes(words, { cwd, stdin })).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toEqual(["set"]);
    expect(readdirSync(join(cwd, "set", "day=2026-01-31", "hour=07")).sort()).toEqual(
      ["..", "..%2F..%2Fup", "__HIVE_DEFAULT_PARTITION__", "a%3Db%2Fc%25", "übung"]
        .concat(["%6Eull", "%5F_HIVE_DEFAULT_PARTITION__", "a b%09~"])
        .map((one) => `host=${one}`)
        .sort(),
    );
    const glob = `${cwd}/set/**/*.parquet`;
    const rows = await query(context, `select host from read_parquet('${glob}', hive_partitioning=true) order by host`);
    expect(rows.map(({ host }) => host)).toEqual([...hosts.filter((host) => host !== "").sort(), null]);
  });

  test.each(["set/", "there"])("has a file for each day and host if -o is a directory: %s", async (typed) => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "there"));
    const days = ["2026-01-30T23:59:59.999999999Z", "2026-01-31T00:00:00Z", "1969-12-31T23:59:59.5Z"];
    const of = (time: string, host: string) => ({ time, identifier: { host, plugin: "p", type: "t" } });
    const readings = [...days, ...days].flatMap((time, value) =>
      ["b", "a"].map((host) => reading([{ gauge: value }], undefined, of(time, host))),
    );
    const stdin = await encoded(...readings);
    const words = ["metrics", "decode", "--format", "parquet", "-o", typed];
    expect(await tongsBytes(words, { cwd, stdin })).toMatchObject({ code: 0 });
    const files = readdirSync(join(cwd, typed), { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(".parquet"));
    expect(files.map((path) => path.replace(/part-[\da-f]{8}-1/, "part")).sort()).toEqual(
      ["1969-12-31", "2026-01-30", "2026-01-31"].flatMap((day) =>
        ["a", "b"].map((host) => `day=${day}/host=${host}/part.parquet`),
      ),
    );
    for (const file of files) expect(await parquetRows(join(cwd, typed, file))).toHaveLength(2);
  });

  test("keeps the readings before damage, and exits with 13", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "cut.bin"), dataBytes(name).subarray(0, 10_000));
    const ran = await tongsBytes(["metrics", "decode", "cut.bin", "--format", "parquet", "-o", "cut.parquet"], { cwd });
    expect([ran.code, readFileSync(join(cwd, "cut.parquet")).subarray(-4).toString()]).toEqual([13, "PAR1"]);
  });

  test("leaves nothing when it is interrupted or the disk is full", async () => {
    const cwd = emptyFolder();
    const interrupted = new AbortController();
    // stdin stays open: the command is still at work when something of it is on the disk.
    const stdin = new PassThrough();
    for (let count = 0; count < 12; count++) stdin.write(dataBytes(name));
    const words = ["metrics", "decode", "--format", "parquet", "-o", "set", "--partition-by", "host"];
    const running = tongsBytes(words, { cwd, stdin, signal: interrupted.signal });
    while (readdirSync(cwd).length === 0) await setImmediate();
    interrupted.abort(new Error("interrupted"));
    expect([(await running).code === 0, readdirSync(cwd)]).toEqual([false, []]);
    const full = await tongsBytes(["metrics", "decode", all, "--format", "parquet", "-o", "/dev/full/x.parquet"], {
      cwd,
    });
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining("Cannot write")]);
    const device = await tongsBytes(["metrics", "decode", all, "--format", "parquet", "-o", "/dev/full"], { cwd });
    expect([device.code, device.stderr]).toEqual([1, "✗ Cannot write /dev/full: no space left on device (ENOSPC)\n"]);
  });

  test("cuts a host that is too long for a directory, with a hash, and writes the others", async () => {
    const cwd = emptyFolder();
    const long = ["a", "b"].map((end) => `${"é/".repeat(150)}${end}`);
    const hosts = [...long, "short"].map((host) => reading([{ gauge: 1 }], undefined, { identifier: { host } }));
    const stdin = await encoded(...hosts);
    const words = ["metrics", "decode", "--format", "parquet", "-o", "set", "--partition-by", "host"];
    expect(await tongsBytes(words, { cwd, stdin })).toMatchObject({ code: 0, stderr: "" });
    const folders = readdirSync(join(cwd, "set")).sort();
    expect(folders).toEqual([
      "host=short",
      expect.stringMatching(/^host=(é%2F)+é?-[0-9a-f]{16}$/),
      expect.stringMatching(/^host=(é%2F)+é?-[0-9a-f]{16}$/),
    ]);
  });

  test("says that --partition-by needs a directory", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "old"), "old");
    const words = ["metrics", "decode", all, "--format", "parquet", "--partition-by", "host", "-o", "old"];
    expect(await tongsBytes(words, { cwd })).toMatchObject({
      code: 2,
      stderr: "✗ old is a file, but --partition-by writes to a directory\n  Use -o DIR.\n",
    });
  });

  test("needs a file, and --partition-by needs Parquet", async () => {
    expect(await tongsBytes(["metrics", "decode", all, "--format", "parquet"])).toMatchObject({ code: 2 });
    expect(await tongsBytes(["metrics", "decode", all, "--partition-by", "day"])).toMatchObject({ code: 2 });
    const words = ["metrics", "decode", all, "--format", "parquet", "--partition-by", "month", "-o", "x"];
    expect(await tongsBytes(words)).toMatchObject({ code: 2 });
  });

  test("writes rates and spans", async (context) => {
    const cwd = emptyFolder();
    const words = "--plugin cpu --every 1m --format parquet -o r.parquet".split(" ");
    expect(await tongsBytes(["metrics", "decode", all, ...words], { cwd })).toMatchObject({ code: 0 });
    const rows = await query(
      context,
      `select distinct kind, ds_name, interval from '${cwd}/r.parquet' order by ds_name`,
    );
    expect(rows).toEqual(
      ["average", "last", "max", "min"].map((ds_name) => ({ kind: "gauge", ds_name, interval: 60 })),
    );
  });
});

describe("the conversion of a recording", () => {
  const recording = (content: Buffer) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "r.bin"), content);
    return { folder, conversion: { recording: join(folder, "r.bin"), target: join(folder, "r.parquet"), signal } };
  };

  test("replaces the recording by a Parquet file with all values", async (context) => {
    const { folder, conversion } = recording(Buffer.concat(Array.from({ length: 15 }, () => dataBytes(name))));
    const count = 15 * expectedValues().length;
    await convertRecording(conversion);
    expect(readdirSync(folder)).toEqual(["r.parquet"]);
    const rows = await query(context, `select count(*)::int n from '${conversion.target}'`);
    expect(rows).toEqual([{ n: count }]);
  });

  test("leaves a damaged recording, and one whose target exists, as they are", async () => {
    const { folder, conversion } = recording(dataBytes(name).subarray(0, 5000));
    await expect(convertRecording(conversion)).rejects.toMatchObject({ code: "bad_data" });
    expect(readdirSync(folder)).toEqual(["r.bin"]);
    writeFileSync(conversion.target, "mine");
    await expect(convertRecording(conversion)).rejects.toMatchObject({ code: "exists" });
    expect(readFileSync(conversion.target, "utf8")).toBe("mine");
    expect(statSync(conversion.recording).size).toBe(5000);
  });

  test("leaves a recording with a time that Parquet cannot hold: its file would have none", async () => {
    const times = ["2026-01-31T07:08:09Z", { seconds: "1769843289000", nanos: 0 }];
    const stdout = await encoded(...times.map((time) => ({ values: [{ gauge: 1 }], time })));
    const { folder, conversion } = recording(stdout);
    await expect(convertRecording(conversion)).rejects.toMatchObject({
      code: "bad_data",
      message: expect.stringContaining(
        "message 2, byte 21: the time @1769843289000s is outside the years 1678 to 2261",
      ),
    });
    expect(readdirSync(folder)).toEqual(["r.bin"]);
    expect(readFileSync(conversion.recording).equals(stdout)).toBe(true);
  });

  test("stops when it is interrupted", async () => {
    const { folder, conversion } = recording(Buffer.concat(Array.from({ length: 10 }, () => dataBytes(name))));
    const aborted = AbortSignal.abort(new Error("interrupted"));
    await expect(convertRecording({ ...conversion, signal: aborted })).rejects.toThrow("interrupted");
    expect(readdirSync(folder)).toEqual(["r.bin"]);
  });
});

test("a dataset that is interrupted while its files are written or get their names has none of them", async () => {
  const of = (host: string) => reading([{ gauge: 1 }], undefined, { identifier: { host, plugin: "p", type: "t" } });
  const messages = delimitedMessages(await encoded(...Array.from({ length: 1100 }, (_, index) => of(`h${index}`))));
  const decode = messageDecoder();
  const written = async (stops: { readonly writing?: number; readonly naming?: number }) => {
    const folder = emptyFolder();
    const { printer, finish, publish, discard } = createParquetOutput(join(folder, "set"), ["host"]);
    messages.forEach((message, entry) => void printer.print(decode(message), createTailCache(), entry));
    const names: string[] = [];
    const stopAt = (call = 0) => {
      let left = call;
      return () => {
        left -= 1;
        if (left !== 0) return;
        names.push(...readdirSync(folder, { recursive: true }).map(String));
        throw new Error("interrupted");
      };
    };
    const work = finish(stopAt(stops.writing)).then(() => publish(stopAt(stops.naming)));
    await expect(work).rejects.toThrow("interrupted");
    discard();
    expect(readdirSync(folder)).toEqual([]);
    return names.filter((name) => name.endsWith(".parquet")).length;
  };
  expect([await written({ writing: 3 }), await written({ naming: 1 }), await written({ naming: 2 })]).toEqual([
    0, 0, 1000,
  ]);
});

test("a process that is killed while it writes leaves no file that a reader would take", () => {
  const folder = emptyFolder();
  const { printer } = createParquetOutput(join(folder, "a.parquet"), []);
  const fields = messageDecoder()(delimitedMessages(dataBytes(name))[0] ?? new Uint8Array());
  printer.print(fields, createTailCache(), 0);
  expect(readdirSync(folder).every((one) => one.startsWith(".") && one.endsWith(".partial"))).toBe(true);
  expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).toBe("");
});
