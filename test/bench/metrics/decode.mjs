// The figures of `metrics decode`, all in one run, as whole processes in turn, medians of ROUNDS:
//   npm run build && node test/bench/metrics/decode.mjs [ROUNDS]     (5)
// - data: make-data.mjs, 1,000,000 readings, one file with repeated and one with ever new identifiers; output to /dev/null
// - C++: json-printer.cpp with libprotobuf's MessageToJsonString, -O3; only where g++, protoc and libprotobuf's headers are
//   (TONGS_PROTOBUF_INCLUDE names another place for the headers, TONGS_PROTOBUF_LIB for the library)
// - ts-proto: code generated here with forceLong=string, the fastest of its kinds, decode + toJSON + JSON.stringify. It is
//   not canonical JSON (NaN is null, times lose digits), which flatters it
// - memory: the greatest resident set of the process, from wait4 (/usr/bin/time -v is not needed: the child prints it)
// - small: one reading, against an empty script
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { makeData } from "./make-data.mjs";

const top = join(import.meta.dirname, "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "tongs-bench-"));
const rounds = Number(process.argv[2] ?? 5);
const { NODE_EXTRA_CA_CERTS: _unset, ...env } = process.env;
const nowhere = openSync("/dev/null", "w");
const path = (name) => join(folder, name);

function run(program, args) {
  const began = process.hrtime.bigint();
  const { status } = spawnSync(program, args, { stdio: ["ignore", nowhere, 2], env, cwd: top });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

function must(program, args, extra = {}) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", env: { ...env, ...extra }, cwd: top });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split("\n")[0]);
}

/** The path of the C++ program, or why there is none. */
function buildPrinter() {
  const include = env.TONGS_PROTOBUF_INCLUDE ?? "/usr/include";
  if (!existsSync(join(include, "google/protobuf/util/json_util.h")))
    return { missing: "libprotobuf's headers are not installed" };
  mkdirSync(path("cpp"));
  const proto = must("protoc", ["-Iproto", `-I${include}`, `--cpp_out=${path("cpp")}`, "proto/collectd/types.proto"]);
  if (proto !== undefined) return { missing: `protoc: ${proto}` };
  const sources = ["test/bench/metrics/json-printer.cpp", path("cpp/collectd/types.pb.cc")];
  const library = env.TONGS_PROTOBUF_LIB ?? "-lprotobuf";
  const failed = must("g++", [
    "-O3",
    "-std=c++17",
    `-I${path("cpp")}`,
    `-I${include}`,
    "-o",
    path("printer"),
    ...sources,
    library,
    "-lpthread",
  ]);
  return failed === undefined ? { program: path("printer") } : { missing: `g++: ${failed}` };
}

async function buildTsProto() {
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
  const failed = must(join(bin, "buf"), ["generate", "proto", "--template", template], {
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
  await build({
    entryPoints: [path("ts/run.ts")],
    bundle: true,
    minify: true,
    platform: "node",
    outfile: path("ts-proto.cjs"),
    nodePaths: [join(top, "node_modules")],
    logLevel: "error",
  });
  return path("ts-proto.cjs");
}

makeData(path("many.bin"));
makeData(path("new.bin"), 1_000_000, true);
makeData(path("one.bin"), 1);
writeFileSync(path("empty.cjs"), "");
const tongs = join(top, "bin", "tongs.js");
const decode = (file, ...words) => [process.execPath, [tongs, "metrics", "decode", path(file), ...words]];
const printer = buildPrinter();
const tsProto = await buildTsProto();

const cases = {
  "tongs, NDJSON": decode("many.bin", "--format", "ndjson"),
  "tongs, NDJSON, every identifier new": decode("new.bin", "--format", "ndjson"),
  "tongs, CSV": decode("many.bin", "--format", "csv"),
  "tongs, PUTVAL": decode("many.bin", "--format", "putval"),
  "ts-proto + JSON.stringify": [process.execPath, [tsProto, path("many.bin")]],
  ...(printer.program && {
    "C++ JSON printer": [printer.program, [path("many.bin")]],
    "C++ JSON printer, every identifier new": [printer.program, [path("new.bin")]],
  }),
  "small input": decode("one.bin", "--format", "ndjson"),
  "small input, bare Node": [process.execPath, [path("empty.cjs")]],
};
const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, [program, args]] of Object.entries(cases)) {
    for (let again = name.startsWith("small") ? 5 : 1; again > 0; again -= 1) times[name].push(run(program, args));
  }
}
const median = (name) => times[name]?.toSorted((one, other) => one - other)[Math.floor(times[name].length / 2)];

function peak(...words) {
  const report = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(path("peak"))}, String(process.resourceUsage().maxRSS)));`;
  writeFileSync(path("peak.cjs"), report);
  const [program, args] = decode(...words);
  run(program, ["-r", path("peak.cjs"), ...args]);
  return Number(spawnSync("cat", [path("peak")], { encoding: "utf8" }).stdout) / 1024;
}

for (const name of Object.keys(cases)) console.log(`${median(name).toFixed(0).padStart(7)} ms  ${name}`);
const ratio = (one, other) =>
  median(one) === undefined ? "not measured" : `${(median(one) / median(other)).toFixed(1)} x`;
console.log(`input: ${(statSync(path("many.bin")).size / 1e6).toFixed(1)} MB`);
if (printer.missing) console.log(`C++ JSON printer skipped: ${printer.missing}`);
console.log(`against the C++ JSON printer: ${ratio("C++ JSON printer", "tongs, NDJSON")} (target 15)`);
console.log(
  `… every identifier new: ${ratio("C++ JSON printer, every identifier new", "tongs, NDJSON, every identifier new")} (target 5)`,
);
console.log(`against ts-proto + JSON.stringify: ${ratio("ts-proto + JSON.stringify", "tongs, NDJSON")} (target 7)`);
console.log(
  `CSV and PUTVAL against NDJSON: ${ratio("tongs, CSV", "tongs, NDJSON")}, ${ratio("tongs, PUTVAL", "tongs, NDJSON")} (at most 2)`,
);
console.log(
  `small input above bare Node: ${(median("small input") - median("small input, bare Node")).toFixed(1)} ms (at most 10)`,
);
console.log(
  `memory: ${peak("many.bin").toFixed(0)} MiB, every identifier new ${peak("new.bin").toFixed(0)} MiB (at most 80)`,
);
rmSync(folder, { recursive: true });
