import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startEndpoint } from "../../../src/metrics/grpc/serve.ts";
import { varint } from "../../../src/metrics/wire/fields.ts";
import { dataBytes, dataPath, delimitedMessages } from "../../metrics/data.ts";
import { fullReading } from "../../metrics/make-reading.ts";
import { parquetMetadata } from "../../metrics/parquet/rows.ts";
import { encodeFields } from "../../metrics/wire.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { records, tongsBytes } from "./bytes.ts";

const name = "collectd-5.12.delimited.bin";
const end = ["--until", "2026-11-21T09:00:00Z"];

/** A folder with a recording as it is, as a Parquet file, and as a dataset by day and host. */
async function threeForms(recording: Uint8Array = dataBytes(name)) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "a.bin"), recording);
  const run = (...words: string[]) => tongsBytes(["metrics", ...words], { cwd });
  for (const target of ["a.parquet", "set/"]) {
    const { code, stderr } = await run("decode", "a.bin", "--lenient", "--format", "parquet", "-o", target);
    expect([code, stderr]).toEqual([0, ""]);
  }
  return { cwd, run, forms: ["a.parquet", "set"] };
}

/** A reading with its length; `time` is in nanoseconds since 1970. Nothing is written that is zero or empty. */
function reading(host: string, time: bigint | undefined, names: readonly string[], values: readonly bigint[]): Buffer {
  const text = (number: number, content: string) => (content === "" ? [] : [{ number, content: Buffer.from(content) }]);
  const whole = (number: number, content: bigint) => (content === 0n ? [] : [{ number, content }]);
  const moment = (all: bigint) => ({
    number: 2,
    content: [...whole(1, all / 10n ** 9n), ...whole(2, all % 10n ** 9n)],
  });
  return delimited(
    encodeFields([
      ...values.map((value) => ({ number: 1, content: [{ number: 3, content: value }] })),
      ...(time === undefined ? [] : [moment(time)]),
      { number: 4, content: [...text(1, host), ...text(2, "p"), ...text(4, "t")] },
      ...names.map((one) => ({ number: 5, content: Buffer.from(one) })),
    ]),
  );
}

const delimited = (message: Uint8Array) => Buffer.concat([Uint8Array.from(varint(message.length)), message]);

// An interval below 0 is 0 in Parquet.
const sorted = (messages: readonly Uint8Array[]) =>
  messages.flatMap((one) => (Buffer.from(one).includes("last_cdtime") ? [] : Buffer.from(one).toString("hex"))).sort();

describe("Parquet files and datasets are read like the recording that they were made of", () => {
  test("reading by reading, byte by byte", async () => {
    const { run, forms } = await threeForms();
    for (const form of forms) {
      const { code, stdout } = await run("decode", form, "--format", "delimited");
      expect([code, sorted(delimitedMessages(stdout))], form).toEqual([0, sorted(delimitedMessages(dataBytes(name)))]);
    }
  });

  test("by stat, plot, report, top, check and query", async () => {
    const { cwd, run, forms } = await threeForms();
    const page = async (form: string) => {
      await run("report", form, "-o", "page.html");
      return { code: 0, stdout: readFileSync(join(cwd, "page.html")), stderr: "" };
    };
    const ways: Record<string, (form: string) => ReturnType<typeof run>> = {
      stat: (form) => run("stat", form, "--csv"),
      plot: (form) => run("plot", form, "--series", "*/load/load*", "--width", "80", ...end),
      report: page,
      top: (form) => run("top", form, "--once", "--csv", "--sort", "host", ...end),
      check: (form) => run("check", "*/load/load*", form, "--warn", "0.1", "--json", ...end),
    };
    for (const [way, print] of Object.entries(ways)) {
      const expected = (await print("a.bin")).stdout.toString();
      expect(expected.length, way).toBeGreaterThan(100);
      for (const form of forms) expect((await print(form)).stdout.toString(), `${way} ${form}`).toBe(expected);
    }
    const last = records((await run("query", "a.parquet", "*/load/*")).stdout);
    const all = records((await run("decode", "a.bin", "--plugin", "load", "--format", "ndjson")).stdout);
    expect(last).toEqual([all.at(-1)]);
  });

  test("by push, with the values of a reading in the order that collectd needs", async () => {
    const { cwd, forms } = await threeForms();
    for (const form of forms) {
      const taken: Uint8Array[] = [];
      const onReading = (bytes: Uint8Array, _view: DataView, start: number, stop: number) => {
        taken.push(bytes.slice(start, stop));
      };
      const endpoint = await startEndpoint({ host: "127.0.0.1", port: 0 }, { onReading });
      const { code } = await tongsBytes(["metrics", "push", `127.0.0.1:${endpoint.port}`, form], { cwd });
      await endpoint.close();
      expect([code, sorted(taken)]).toEqual([0, sorted(delimitedMessages(dataBytes(name)))]);
    }
  });

  test("with any names, each kind of value and metadata, and integers of 64 bits", async () => {
    const texts = ['/ = % "\n', "x".repeat(200), "ä\u{1f600}", "..", ""];
    const all = texts.map((one) => delimited(encodeFields(fullReading((place) => Buffer.from(`${place}${one}`)))));
    const { run, forms } = await threeForms(Buffer.concat(all));
    for (const form of forms) {
      // A host of more than 200 bytes is cut in the name of its directory.
      const expected = delimitedMessages(Buffer.concat(form === "set" ? all.toSpliced(1, 1) : all));
      const { stdout } = await run(
        "decode",
        form,
        "--format",
        "delimited",
        ...(form === "set" ? ["--plugin", "*[!x]"] : []),
      );
      expect(sorted(delimitedMessages(stdout)), form).toEqual(sorted(expected));
    }
  });

  test("also without names, without a time, at the same time, and with values in another order than their names", async () => {
    const all = [
      reading("a", 5n, ["z", "a", "m"], [1n, 2n, 3n]),
      reading("a", 5n, ["z", "a", "m"], [4n, 5n, 6n]),
      reading("a", 6n, ["z"], [7n]),
      reading("b", 0n, [], [1n, -2n]),
      reading("b", 7n, [], [3n, 2n ** 63n - 1n]),
      reading("b", undefined, [], [5n, 6n]),
      reading("", 1_767_225_599_999_999_999n, [], [7n]),
    ];
    const { run, forms } = await threeForms(Buffer.concat(all));
    for (const form of forms) {
      const { stdout } = await run("decode", form, "--format", "delimited");
      expect(sorted(delimitedMessages(stdout)), form).toEqual(sorted(delimitedMessages(Buffer.concat(all))));
    }
  });
});

describe("of Parquet files", () => {
  test("directories and row groups without what is selected are not read: damage in them does not matter", async () => {
    const first = Array.from({ length: 131_072 }, (_, index) => reading("a", BigInt(index) * 10n ** 9n, ["v"], [1n]));
    const last = Array.from({ length: 10 }, (_, index) =>
      reading("b", BigInt(200_000 + index) * 10n ** 9n, ["v"], [2n]),
    );
    const { cwd, run } = await threeForms(Buffer.concat([...first, ...last]));
    const file = join(cwd, "a.parquet");
    const damaged = (await parquetMetadata(file)).row_groups[0]?.columns.find(
      ({ meta_data }) => meta_data?.path_in_schema[0] === "derive",
    );
    const at = Number(damaged?.meta_data?.data_page_offset);
    writeFileSync(file, readFileSync(file).fill(0xff, at, at + 100));
    const folder = join(cwd, "set", "day=1970-01-01", "host=a");
    for (const part of readdirSync(folder)) writeFileSync(join(folder, part), "PAR1, but no Parquet");
    for (const form of ["a.parquet", "set"]) {
      for (const words of [
        ["--host", "b"],
        ["--host", "[b]"],
        ["--host", "b*"],
        ["--since", "@199999"],
      ]) {
        const { code, stdout } = await run("stat", form, "--by", "host", "--csv", ...words);
        expect([code, stdout.toString()], `${form} ${words}`).toEqual([0, expect.stringMatching(/^b,10,/m)]);
      }
      const plot = await run("plot", form, "--series", "b/p/t:v");
      expect(plot.code, form).toBe(form === "set" ? 13 : 0);
      expect(await run("stat", form)).toMatchObject({
        code: 13,
        stderr: expect.stringMatching(/parquet: This Parquet file cannot be read: /),
      });
    }
  });

  test("what is no file of tongs is refused, with what reads it, and those beside it are read", async (context) => {
    const library = await import("@duckdb/node-api").catch(() => context.skip("DuckDB cannot be loaded"));
    const { cwd, run } = await threeForms();
    const connection = await (await library.DuckDBInstance.create(":memory:")).connect();
    await connection.run(`copy (select 1 a) to '${join(cwd, "other.parquet")}' (format parquet)`);
    await connection.run(`copy (from '${join(cwd, "a.parquet")}') to '${join(cwd, "copy.parquet")}' (format parquet)`);
    expect(await run("stat", "other.parquet")).toMatchObject({
      code: 13,
      stderr: expect.stringContaining("duckdb -c"),
    });
    const both = await run("stat", "other.parquet", "a.parquet", "--csv");
    expect([both.code, both.stdout]).toEqual([13, (await run("stat", "a.bin", "--csv")).stdout]);
    // Another writer: without the order of the values, each is a reading.
    const copied = await run("stat", "copy.parquet", "--csv");
    expect([copied.code, copied.stdout.toString()]).toEqual([0, both.stdout.toString()]);
    for (const stdin of [readFileSync(join(cwd, "a.parquet")), gzipSync(readFileSync(join(cwd, "a.parquet")))])
      expect(await tongsBytes(["metrics", "stat"], { stdin })).toMatchObject({
        code: 13,
        stderr: expect.stringContaining("This is a Parquet file, not readings\n  Pass its name"),
      });
    rmSync(join(cwd, "set"), { recursive: true });
    expect(await run("stat", ".")).toMatchObject({ code: 13 });
    for (const file of ["a.parquet", "copy.parquet", "other.parquet"]) rmSync(join(cwd, file));
    expect(await run("stat", ".")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(". is a directory without Parquet files"),
    });
  });
});

test("a file that was cut says so", async () => {
  const { cwd, run } = await threeForms();
  writeFileSync(join(cwd, "a.parquet"), readFileSync(join(cwd, "a.parquet")).subarray(0, -100));
  expect(await run("decode", "a.parquet", dataPath(name), "--count", "1")).toMatchObject({ code: 13 });
});
