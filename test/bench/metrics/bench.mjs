// The figures of `metrics decode`, output to nowhere.
// - data: make-data.mjs, 1,000,000 readings, one file with repeated and one with ever new identifiers
// - C++: json-printer.cpp with libprotobuf's MessageToJsonString, -O3; only where g++, protoc and libprotobuf's headers are
//   (TONGS_PROTOBUF_INCLUDE names another place for the headers, TONGS_PROTOBUF_LIB for the library)
// - ts-proto: code generated here with forceLong=string, the fastest of its kinds, decode + toJSON + JSON.stringify. It is
//   not canonical JSON (NaN is null, times lose digits), which flatters it
// - small: one reading, against an empty script
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bundleFile } from "../../../scripts/bundle.mjs";
import { peak, timePairs } from "../pairs.mjs";
import { makeData } from "./make-data.mjs";

export async function measure({ node, tongs, env, folder, top, rounds, row }) {
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
  const more = started.milliseconds("one reading") - started.milliseconds("bare Node");
  row("bare Node", started.milliseconds("bare Node"));
  row("one reading", started.milliseconds("one reading"), more, { most: 10, of: "ms above Node" });

  makeData(path("many.bin"));
  makeData(path("new.bin"), 1_000_000, true);
  const printer = buildPrinter(place);
  const tsProto = await buildTsProto(place);

  const commands = [
    { name: "NDJSON", argv: decode("many.bin") },
    { name: "NDJSON, every identifier new", argv: decode("new.bin") },
    { name: "CSV", argv: decode("many.bin", "csv") },
    { name: "PUTVAL", argv: decode("many.bin", "putval") },
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
  line("CSV", "NDJSON", { most: 2, of: "of NDJSON" });
  line("PUTVAL", "NDJSON", { most: 2, of: "of NDJSON" });
  for (const file of ["many.bin", "new.bin"]) {
    row(`memory, ${file}`, undefined, peak(decode(file), env), { most: 80, of: "MiB" });
  }
  rmSync(below, { recursive: true });
}

function must({ env, top }, program, args, extra = {}) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", env: { ...env, ...extra }, cwd: top });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split("\n")[0]);
}

/** The path of the C++ program, or why there is none. */
function buildPrinter(place) {
  const { env, path } = place;
  const include = env.TONGS_PROTOBUF_INCLUDE ?? "/usr/include";
  if (!existsSync(join(include, "google/protobuf/util/json_util.h")))
    return { missing: "libprotobuf's headers are not installed" };
  mkdirSync(path("cpp"));
  const proto = must(place, "protoc", [
    "-Iproto",
    `-I${include}`,
    `--cpp_out=${path("cpp")}`,
    "proto/collectd/types.proto",
  ]);
  if (proto !== undefined) return { missing: `protoc: ${proto}` };
  const sources = ["test/bench/metrics/json-printer.cpp", path("cpp/collectd/types.pb.cc")];
  const library = env.TONGS_PROTOBUF_LIB ?? "-lprotobuf";
  const failed = must(place, "g++", [
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
  await bundleFile(path("ts/run.ts"), path("ts-proto.cjs"));
  return path("ts-proto.cjs");
}
