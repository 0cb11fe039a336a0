// Artifact downloads against curl, unzip, and one after the other, from a loopback server:
//   1 GiB         one stored entry of noise, made here, to memory and to disk
//   unpacking     500 MB in 3,000 files of log-like text; tongs downloads them besides, unzip finds its archive ready
//   side by side  40 of 1 MB, each answer 20 ms late, and two answers for each: the signed address, and the bytes
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { has, peak, timePairs } from "../pairs.mjs";
import { storedZip } from "./stored-zip.mjs";

const memoryFolder = "/dev/shm";

export async function measure(bench) {
  const inMemory = existsSync(memoryFolder);
  const fast = inMemory ? mkdtempSync(join(memoryFolder, "tongs-bench-")) : bench.folder;
  try {
    await large(bench, fast, inMemory);
    await unpacking(bench, fast);
    await many(bench, fast);
  } finally {
    if (inMemory) rmSync(fast, { recursive: true, force: true });
  }
}

/** A command line that downloads into an empty folder. */
function downloading({ node, tongs }, host, into, ...words) {
  return {
    argv: [node, tongs, "artifact", "download", "--host", host, "--quiet", "--dir", into, ...words],
    before: () => rmSync(into, { recursive: true, force: true }),
  };
}

async function large(bench, fast, inMemory) {
  const { folder, env, rounds, row, serve } = bench;
  const file = join(fast, "large.zip");
  storedZip(file, 1024);
  const host = await serve("artifact/server.mjs", 0, file);
  const address = `${host}/api/v1/repos/mara/harbor/actions/artifacts/1/zip`;
  const places = [...(inMemory ? [["to memory", fast, 1.6]] : []), ["to disk", folder, 1.6]];
  for (const [name, below, most] of has("curl") ? places : []) {
    const into = join(below, "large");
    const empty = () => {
      rmSync(into, { recursive: true, force: true });
      mkdirSync(into);
    };
    const commands = [
      { name: "curl", argv: ["curl", "-sSL", "-o", join(into, "it.zip"), address], before: empty },
      { name: "tongs", ...downloading(bench, host, into, "1", "--zip") },
    ];
    const timed = timePairs(commands, { rounds: rounds(3), warmUp: 1, env });
    row(`1 GiB ${name}, curl`, timed.milliseconds("curl"));
    row(`1 GiB ${name}, tongs`, timed.milliseconds("tongs"), timed.ratio("tongs", "curl"), { most, of: "of curl" });
    rmSync(into, { recursive: true });
  }
  if (!has("curl")) console.log("  1 GiB against curl: skipped, there is no curl on the PATH");
  const { argv, before } = downloading(bench, host, join(fast, "large"), "1", "--zip");
  row("1 GiB, memory", undefined, peak(argv, env), { most: 120, of: "MiB" });
  before();
  rmSync(file);
}

async function unpacking(bench, fast) {
  const { env, rounds, row, serve } = bench;
  if (!has("zip") || !has("unzip")) return console.log("  unpacking: skipped, zip and unzip are not on the PATH");
  const file = manyFiles(fast);
  const host = await serve("artifact/server.mjs", 0, file);
  const into = join(fast, "unpacked");
  const tongs = downloading(bench, host, into, "1");
  const commands = [
    { name: "unzip", argv: ["unzip", "-q", "-o", file, "-d", into], before: tongs.before },
    { name: "tongs", ...tongs },
  ];
  const timed = timePairs(commands, { rounds: rounds(5), warmUp: 1, env });
  row("3,000 files, unzip", timed.milliseconds("unzip"));
  const ratio = timed.ratio("tongs", "unzip");
  row("3,000 files, tongs", timed.milliseconds("tongs"), ratio, { most: 1, of: "of unzip" });
  tongs.before();
  row("3,000 files, memory", undefined, peak(tongs.argv, env), { most: 120, of: "MiB" });
  tongs.before();
  rmSync(file);
}

/** 500 MB of text in 3,000 files of which 20 are large, packed. */
function manyFiles(folder) {
  const source = join(folder, "source");
  const words = "tide harbor quay crane signal buoy ledger watch".split(" ");
  for (let index = 0; index < 3000; index += 1) {
    let text = "";
    const length = index < 20 ? 15_000_000 : 67_000;
    while (text.length < length)
      text += `${randomBytes(8).toString("hex")} ${words[text.length % 8]} ${words[index % 8]}\n`.repeat(4);
    mkdirSync(join(source, `d${index % 50}`), { recursive: true });
    writeFileSync(join(source, `d${index % 50}`, `f${index}.log`), text.slice(0, length));
  }
  const file = join(folder, "many.zip");
  spawnSync("zip", ["-qr", file, "."], { cwd: source });
  rmSync(source, { recursive: true });
  return file;
}

async function many(bench, fast) {
  const { node, tongs, env, rounds, row, serve } = bench;
  const file = join(fast, "small.zip");
  storedZip(file, 1);
  const host = await serve("artifact/server.mjs", 20, ...Array.from({ length: 40 }, () => file));
  const into = join(fast, "many");
  const own = { before: () => rmSync(into, { recursive: true, force: true }) };
  const single = `for id in $(seq 40); do "$0" "$1" artifact download --host "$2" -q --dir "$3/$id" $id; done`;
  const address = `${host}/api/v1/repos/mara/harbor/actions/artifacts/[1-40]/zip`;
  const commands = [
    { name: "a process each", argv: ["sh", "-c", single, node, tongs, host, into], ...own },
    { name: "--jobs 1", ...downloading(bench, host, into, "--run", "1", "--jobs", "1") },
    { name: "tongs", ...downloading(bench, host, into, "--run", "1") },
    { name: "--jobs 16", ...downloading(bench, host, into, "--run", "1", "--jobs", "16") },
    ...(has("curl")
      ? [{ name: "curl", argv: ["curl", "-sSL", "--create-dirs", "-o", join(into, "#1.zip"), address], ...own }]
      : []),
  ];
  const timed = timePairs(commands, { rounds: rounds(6), warmUp: 1, env });
  const faster = (base) => timed.ratio(base, "tongs");
  row("40 × 1 MB, tongs", timed.milliseconds("tongs"));
  row("…, --jobs 1", timed.milliseconds("--jobs 1"), faster("--jobs 1"), { least: 4, of: "times as long" });
  row("…, a process each", timed.milliseconds("a process each"), faster("a process each"), {
    least: 4,
    of: "times as long",
  });
  if (has("curl")) row("…, one curl, unpacks not", timed.milliseconds("curl"), faster("curl"), { of: "times as long" });
  row("…, --jobs 16", timed.milliseconds("--jobs 16"), faster("--jobs 16"), { of: "times as long" });
  own.before();
  rmSync(file);
}
