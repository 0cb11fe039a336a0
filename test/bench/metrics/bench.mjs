// The figures of `metrics decode`, `encode` and `stat`, output to nowhere.
// - data: make-data.mjs, 1,000,000 readings, one file with repeated and one with ever new identifiers, and three with 2,000,
//   20,000 and 200,000 series
// - C++: json-printer.cpp and json-parser.cpp with libprotobuf's MessageToJsonString and JsonStringToMessage, -O3; only
//   where g++, protoc and libprotobuf's headers are (TONGS_PROTOBUF_INCLUDE names another place for the headers, TONGS_PROTOBUF_LIB for the library)
// - C++ by hand: by-hand.cpp, without any library, whose output is the same byte by byte; only where g++ is
// - ts-proto: code generated here with forceLong=string, the fastest of its kinds, decode + toJSON + JSON.stringify. It is
//   not canonical JSON (NaN is null, times lose digits), which flatters it
// - small: one reading, against an empty script
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bundleFile } from "../../../scripts/bundle.mjs";
import { cpuPairs, median, peak, timePairs } from "../pairs.mjs";
import { makeData, seriesPerHost } from "./make-data.mjs";

export async function measure({ node, version, tongs, env, folder, top, rounds, row }) {
  const below = join(folder, "metrics");
  mkdirSync(below);
  const place = { env, top, path: (name) => join(below, name) };
  const { path } = place;
  const decode = (file, format = "ndjson") => [node, tongs, "metrics", "decode", path(file), "--format", format];

  // First of all: what comes below leaves the machine busy for a while.
  makeData(path("one.bin"), 1);
  writeFileSync(path("empty.cjs"), "");
  const small = [
    { name: "one reading", argv: decode("one.bin") },
    { name: "bare Node", argv: [node, path("empty.cjs")] },
  ];
  const started = timePairs(small, { rounds: rounds(), env });
  row("bare Node", started.milliseconds("bare Node"));
  // The limit is that of a command with one request, see start-up.mjs.
  const most = Number(version.split(".")[0]) >= 22 ? 2.2 : 2.6;
  const ratio = started.ratio("one reading", "bare Node");
  row("one reading", started.milliseconds("one reading"), ratio, { most, of: "of bare Node" });

  makeData(path("many.bin"));
  makeData(path("new.bin"), 1_000_000, true);
  const [printer, parser] = ["json-printer", "json-parser"].map((name) => buildBaseline(place, name));
  const tsProto = await buildTsProto(place);

  const commands = [
    { name: "NDJSON", argv: decode("many.bin") },
    { name: "NDJSON, every identifier new", argv: decode("new.bin") },
    { name: "CSV", argv: decode("many.bin", "csv") },
    { name: "text", argv: decode("many.bin", "text") },
    { name: "NDJSON, --host", argv: [...decode("many.bin"), "--host", "node?[0]*"] },
    { name: "NDJSON, every identifier new, --host", argv: [...decode("new.bin"), "--host", "node?[0]*"] },
    { name: "ts-proto", argv: [node, tsProto, path("many.bin")] },
    ...(printer.program === undefined
      ? []
      : [
          { name: "C++", argv: [printer.program, path("many.bin")] },
          { name: "C++, every identifier new", argv: [printer.program, path("new.bin")] },
        ]),
  ];
  const timed = timePairs(commands, { rounds: rounds(6), warmUp: 0, env });
  const line = (name, base, promise) => {
    const figure = promise.least === undefined ? timed.ratio(name, base) : timed.ratio(base, name);
    row(`${name}, ${base}`, timed.milliseconds(name), figure, promise);
  };
  if (printer.program === undefined) console.log(`  C++ JSON printer: skipped, ${printer.missing}`);
  else {
    line("NDJSON", "C++", { least: 15, of: "times faster" });
    line("NDJSON, every identifier new", "C++, every identifier new", { least: 5, of: "times faster" });
  }
  line("NDJSON", "ts-proto", { least: 7, of: "times faster" });
  line("text", "CSV", { most: 3, of: "of CSV" });
  line("NDJSON, --host", "NDJSON", { most: 1, of: "of all" });
  line("NDJSON, every identifier new, --host", "NDJSON, every identifier new", { most: 1.5, of: "of all" });
  for (const file of ["many.bin", "new.bin"]) {
    row(`memory, ${file}`, undefined, peak(decode(file), env), { most: 80, of: "MiB" });
  }

  measureFinding({ ...place, node, tongs, row, env, rounds });
  measureFormats({ ...place, node, tongs, rounds, row, decode });
  measureByHand({ ...place, rounds, row, decode });
  measureEncode({ ...place, node, tongs, rounds, row, decode, parser });
  await measureQueries({ path, rounds, row });
  await measureParquetIn({ ...place, node, tongs, rounds, row });
  measureSeries({ ...place, node, tongs, rounds, row, decode });
  const streamed = peak([...decode("many.bin"), "--jq", ".[] | .time"], env);
  row("memory, --jq '.[] | .time'", undefined, streamed, { most: 300, of: "MiB" });
  rmSync(below, { recursive: true });
}

/** The processor time of each format and each other use of readings, in those of NDJSON, and its memory. */
function measureFormats({ env, path, node, tongs, rounds, row, decode }) {
  const metrics = (...words) => [node, tongs, "metrics", ...words];
  const series = ["--series", "node000.dc1.example.net/cpu-0/cpu-*"];
  const limits = [
    { name: "CSV", argv: decode("many.bin", "csv"), most: 2 },
    { name: "PUTVAL", argv: decode("many.bin", "putval"), most: 2 },
    { name: "Influx", argv: decode("many.bin", "influx"), most: 3 },
    { name: "OpenMetrics", argv: decode("many.bin", "openmetrics"), most: 3 },
    { name: "NDJSON, --rates", argv: [...decode("many.bin"), "--rates"], most: 4 },
    { name: "NDJSON, --every 1m", argv: [...decode("many.bin"), "--every", "1m"], most: 4 },
    { name: "stat", argv: metrics("stat", path("many.bin")), most: 4 },
    { name: "plot", argv: metrics("plot", path("many.bin"), ...series), most: 4 },
    { name: "Parquet", argv: [...decode("many.bin", "parquet"), "-o", path("many.parquet")], most: 6 },
    {
      name: "Parquet by day and host",
      argv: [...decode("many.bin", "parquet"), "-o", `${path("many")}/`, "--append"],
      most: 6,
    },
  ];
  const timed = cpuPairs([{ name: "NDJSON", argv: decode("many.bin") }, ...limits], { rounds: rounds(10), env });
  for (const { name, most } of limits) {
    row(`${name}, CPU`, timed.milliseconds(name), timed.ratio(name, "NDJSON"), { most, of: "of NDJSON" });
    row(`memory, ${name}`, undefined, timed.peak(name), { most: 150, of: "MiB" });
  }
}

/** The processor time of each format with 5,000 series, in that of a program in C++ that needs no library: by-hand.cpp. */
function measureByHand({ env, top, path, rounds, row, decode }) {
  const [program, source] = [path("by-hand"), "test/bench/metrics/by-hand.cpp"];
  const missing = must({ env, top }, "g++", ["-O3", "-std=c++17", "-o", program, source]);
  if (missing !== undefined) return console.log(`  C++ by hand: skipped, ${missing}`);
  makeData(path("five.bin"), 1_000_000, false, Math.round(5000 / seriesPerHost));
  const outputs = [[program, path("five.bin")], decode("five.bin")].map(([first, ...words]) => {
    const { stdout } = spawnSync(first, words, { env, maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });
    return createHash("sha256").update(stdout).digest("hex");
  });
  if (outputs[0] !== outputs[1]) throw new Error(`${source} does not print what decode prints`);
  const limits = [
    { name: "NDJSON", argv: decode("five.bin"), most: 2.2 },
    { name: "CSV", argv: decode("five.bin", "csv"), most: 2.2 },
    { name: "PUTVAL", argv: decode("five.bin", "putval"), most: 2.2 },
    { name: "Influx", argv: decode("five.bin", "influx"), most: 2.2 },
    { name: "OpenMetrics", argv: decode("five.bin", "openmetrics"), most: 3.5 },
    { name: "Parquet", argv: [...decode("five.bin", "parquet"), "-o", path("five.parquet")], most: 6 },
  ];
  const timed = cpuPairs([{ name: "C++", argv: [program, path("five.bin")] }, ...limits], { rounds: rounds(10), env });
  for (const { name, most } of limits)
    row(`${name}, 5,000 series, CPU`, timed.milliseconds(name), timed.ratio(name, "C++"), {
      most,
      of: "of C++ by hand",
    });
  rmSync(path("five.bin"));
}

/** The processor time of ten seconds and of one host of 925 MB in seconds, by the index that the first run made. */
function measureFinding({ env, path, node, tongs, rounds, row }) {
  makeData(path("day.bin"), 10_000_000);
  const since = 1_767_225_600 + 4000;
  const ask = (...words) => [node, tongs, "metrics", "decode", path("day.bin"), "--format", "ndjson", ...words];
  const [seconds, host] = [ask("--since", `${since}`, "--until", `${since + 10}`), ask("--host", "node007.*")];
  spawnSync(node, seconds.slice(1), { env, stdio: "ignore" });
  const commands = [
    { name: "ten seconds of 925 MB, CPU", argv: seconds, promise: { most: 0.3, of: "s" } },
    { name: "one host of 925 MB, CPU", argv: host, promise: { of: "s" } },
    { name: "all of 925 MB, CPU", argv: ask(), promise: { of: "s" } },
  ];
  const timed = cpuPairs(commands, { rounds: rounds(3), env });
  for (const { name, promise } of commands)
    row(name, timed.milliseconds(name), timed.milliseconds(name) / 1000, promise);
  // An hour of 2,000 hosts with 50 series at 10 s, from 10,000,000 readings.
  const parquet = [node, tongs, "metrics", "decode", path("day.bin"), "--format", "parquet", "-o", path("day.parquet")];
  const converted = cpuPairs([{ name: "Parquet", argv: parquet }], { rounds: 1, env });
  const seconds36 = (converted.milliseconds("Parquet") / 1000) * 3.6;
  row("Parquet, 36M readings, CPU", undefined, seconds36, { most: 600, of: "s" });
  row("memory, Parquet, 10M readings", undefined, converted.peak("Parquet"), { of: "MiB" });
  rmSync(path("day.parquet"));
  rmSync(path("day.bin"));
}

/** The time of DuckDB for a Parquet file, in that for the same rows written by DuckDB itself. */
async function measureQueries({ path, rounds, row }) {
  const library = await import("@duckdb/node-api").catch(({ message }) => message);
  if (typeof library === "string") return console.log(`  DuckDB: skipped, ${library}`);
  const connection = await (await library.DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const ours = path("many.parquet");
  const own = path("duckdb.parquet");
  await connection.run(`copy (select * from '${ours}') to '${own}' (format parquet)`);
  const queries = {
    "one host": (file) => `select avg(value), count(*) from '${file}' where host = 'node007.dc1.example.net'`,
    "all hosts": (file) => `select host, avg(value), max(time) from '${file}' group by host`,
    "all series": (file) => `select plugin, type, type_instance, max(derive) from '${file}' group by all`,
  };
  for (const [name, query] of Object.entries(queries)) {
    const ratios = [];
    const times = [];
    for (let round = 0; round < rounds(2); round += 1) {
      const took = [];
      for (const file of [ours, own]) {
        const begun = process.hrtime.bigint();
        await connection.runAndReadAll(query(file));
        took.push(Number(process.hrtime.bigint() - begun) / 1e6);
      }
      times.push(took[0]);
      ratios.push(took[0] / took[1]);
    }
    row(`DuckDB, ${name}`, median(times), median(ratios), { most: 1.5, of: "of its own file" });
  }
}

/** The processor time of a day of one host at 10 s as CSV, from a dataset, in that of DuckDB. */
async function measureParquetIn({ env, path, node, tongs, rounds, row }) {
  const library = await import("@duckdb/node-api").catch(({ message }) => message);
  if (typeof library === "string") return console.log(`  DuckDB: skipped, ${library}`);
  makeData(path("host.bin"), 8640 * seriesPerHost, false, 1);
  const decode = (...words) => [node, tongs, "metrics", "decode", ...words];
  const [program, ...words] = decode(path("host.bin"), "--format", "parquet", "-o", `${path("dataset")}/`);
  spawnSync(program, words, { env, stdio: "inherit" });
  const argv = decode(path("dataset"), "--host", "node000.dc1.example.net", "--format", "csv");
  const timed = cpuPairs([{ name: "CSV", argv }], { rounds: rounds(10), env });
  const connection = await (await library.DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const times = [];
  for (let round = 0; round < rounds(10); round += 1) {
    const begun = process.cpuUsage();
    await connection.run(`copy (from '${path("dataset")}/*/*/*.parquet') to '${path("host.csv")}' (format csv)`);
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / 1000);
  }
  const ratio = timed.milliseconds("CSV") / median(times);
  row("CSV of a day of one host, CPU", timed.milliseconds("CSV"), ratio, { most: 1.5, of: "of DuckDB" });
  rmSync(path("dataset"), { recursive: true });
}

/** The time to encode what decode printed. */
function measureEncode({ env, path, node, tongs, rounds, row, decode, parser }) {
  if (parser.program === undefined) console.log(`  C++ JSON parser: skipped, ${parser.missing}`);
  const files = ["many", "new"];
  for (const name of files) {
    const [program, ...args] = decode(`${name}.bin`);
    const fd = openSync(path(`${name}.ndjson`), "w");
    spawnSync(program, args, { env, stdio: ["ignore", fd, "inherit"] });
    closeSync(fd);
  }
  const commands = files.flatMap((name) => [
    { name, argv: [node, tongs, "metrics", "encode", path(`${name}.ndjson`)] },
    ...(parser.program === undefined ? [] : [{ name: `${name}, C++`, argv: [parser.program, path(`${name}.ndjson`)] }]),
  ]);
  const timed = timePairs(commands, { rounds: rounds(10), warmUp: 0, env });
  for (const [name, label] of [
    ["many", "encode"],
    ["new", "encode, every identifier new"],
  ]) {
    const time = timed.milliseconds(name);
    if (parser.program === undefined) row(label, time);
    else row(`${label}, C++`, time, timed.ratio(`${name}, C++`, name), { least: 1, of: "times faster" });
  }
}

/** The time and memory that many series take, of which the largest file has only five readings each. */
function measureSeries({ env, path, node, tongs, rounds, row, decode }) {
  const counts = [2000, 20_000, 200_000];
  const file = (count) => `series-${count}.bin`;
  const stat = (count) => [node, tongs, "metrics", "stat", path(file(count))];
  for (const count of counts) makeData(path(file(count)), 1_000_000, false, Math.round(count / seriesPerHost));
  const commands = counts.map((count) => ({ name: `${count}`, argv: decode(file(count)) }));
  const timed = timePairs([...commands, ...counts.map((count) => ({ name: `stat ${count}`, argv: stat(count) }))], {
    rounds: rounds(10),
    warmUp: 0,
    env,
  });
  const most = { 20000: 1.5, 200000: 2.5 };
  for (const count of counts.slice(1)) {
    const limit = { most: most[count], of: "of 2,000 series" };
    row(`NDJSON, ${count} series`, timed.milliseconds(`${count}`), timed.ratio(`${count}`, "2000"), limit);
    const ratio = timed.ratio(`stat ${count}`, "stat 2000");
    row(`stat, ${count} series`, timed.milliseconds(`stat ${count}`), ratio, { of: "of 2,000 series" });
  }
  row("memory, stat, 200000 series", undefined, peak(stat(200_000), env), { most: 200, of: "MiB" });
}

function must({ env, top }, program, args, extra = {}) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", env: { ...env, ...extra }, cwd: top });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split("\n")[0]);
}

/** The path of a C++ program, or why there is none. */
function buildBaseline(place, name) {
  const { env, path } = place;
  const include = env.TONGS_PROTOBUF_INCLUDE ?? "/usr/include";
  if (!existsSync(join(include, "google/protobuf/util/json_util.h")))
    return { missing: "libprotobuf's headers are not installed" };
  mkdirSync(path("cpp"), { recursive: true });
  const proto = must(place, "protoc", [
    "-Iproto",
    `-I${include}`,
    `--cpp_out=${path("cpp")}`,
    "proto/collectd/types.proto",
  ]);
  if (proto !== undefined) return { missing: `protoc: ${proto}` };
  const sources = [`test/bench/metrics/${name}.cpp`, path("cpp/collectd/types.pb.cc")];
  const library = env.TONGS_PROTOBUF_LIB ?? "-lprotobuf";
  const failed = must(place, "g++", [
    "-O3",
    "-std=c++17",
    `-I${path("cpp")}`,
    `-I${include}`,
    "-o",
    path(name),
    ...sources,
    library,
    "-lpthread",
  ]);
  return failed === undefined ? { program: path(name) } : { missing: `g++: ${failed}` };
}

async function buildTsProto(place) {
  const { env, path, top } = place;
  const bin = join(top, "node_modules", ".bin");
  const opt = [
    "forceLong=string",
    "oneof=unions",
    "useMapType=true",
    "snakeToCamel=keys",
    "esModuleInterop=true",
    "outputServices=none",
  ];
  const plugin = { local: ["protoc-gen-ts_proto"], out: path("ts"), opt, include_imports: true, include_wkt: true };
  const template = JSON.stringify({ version: "v2", plugins: [plugin] });
  const failed = must(place, join(bin, "buf"), ["generate", "proto", "--template", template], {
    PATH: bin + delimiter + env.PATH,
  });
  if (failed !== undefined) throw new Error(failed);
  writeFileSync(
    path("ts/run.ts"),
    `import { readFileSync, writeSync } from "node:fs";
import { ValueList } from "./collectd/types";
const data = readFileSync(process.argv[2]!);
let out: string[] = [];
for (let at = 0; at < data.length; ) {
  let length = 0;
  for (let shift = 0; ; shift += 7) { const byte = data[at++]!; length |= (byte & 127) << shift; if (byte < 128) break; }
  out.push(JSON.stringify(ValueList.toJSON(ValueList.decode(data.subarray(at, at + length)))));
  at += length;
  if (out.length === 1000) { writeSync(1, out.join("\\n") + "\\n"); out = []; }
}
writeSync(1, out.join("\\n"));
`,
  );
  // Where the generated code finds its libraries.
  symlinkSync(join(top, "node_modules"), path("node_modules"));
  await bundleFile(path("ts/run.ts"), path("ts-proto.cjs"));
  return path("ts-proto.cjs");
}
