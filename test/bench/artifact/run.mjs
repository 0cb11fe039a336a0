// Measures artifact downloads against curl, unzip and one-at-a-time, in one run, best of some rounds. Build first.
//   1 GiB      a zip with one stored entry of 1 GiB of noise, made here, from a loopback server, to /dev/shm and to disk
//   unpacking  500 MB in 3,000 files of log-like text, packed by zip
//   side by side  40 artifacts of 1 MB, each answer 20 ms late
// Usage: node test/bench/artifact/run.mjs [download|unpack|many]... [--rounds N]
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, "..", "..", "..", "bin", "tongs.js");
const at = process.argv.indexOf("--rounds");
const rounds = at < 0 ? 3 : Number(process.argv[at + 1]);
const wanted = process.argv.slice(2).filter((word) => /^[a-z]+$/.test(word));
const memory = mkdtempSync("/dev/shm/tongs-bench-");
const disk = mkdtempSync(join(tmpdir(), "tongs-bench-"));

/** Seconds and peak memory in MiB of one command. */
function timed(command, args, options = {}) {
  const started = process.hrtime.bigint();
  const wrapped = [
    "-c",
    'import os,resource,subprocess,sys; c=subprocess.call(sys.argv[1:],stdout=subprocess.DEVNULL); sys.stderr.write("\\nPEAK %d\\n" % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(c)',
  ];
  const done = spawnSync("python3", [...wrapped, command, ...args], { encoding: "utf8", ...options });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${done.stderr}`);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { seconds, peak: Number(/PEAK (\d+)/.exec(done.stderr)?.[1]) / 1024 };
}

/** Best times of several ways, taken in turns. */
function compare(title, base, other, target) {
  const best = [base, other].map(() => ({ seconds: Number.POSITIVE_INFINITY, peak: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    [base, other].forEach((run, index) => {
      const { seconds, peak } = run();
      best[index] = { seconds: Math.min(best[index].seconds, seconds), peak: Math.max(best[index].peak, peak) };
    });
  }
  const [one, two] = best;
  const ratio = (two.seconds / one.seconds).toFixed(2);
  console.log(
    `${title}: ${one.seconds.toFixed(2)} s, tongs ${two.seconds.toFixed(2)} s, ratio ${ratio} (${target}), ${Math.round(two.peak)} MiB`,
  );
}

async function serving(delay, files, work) {
  const child = spawn(process.execPath, [join(here, "server.mjs"), String(delay), ...files], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).trim())));
    await work(url);
  } finally {
    child.kill();
  }
}

function tongs(url, args, cwd) {
  const { NODE_EXTRA_CA_CERTS: _left, ...env } = process.env;
  Object.assign(env, { TONGS_HOST: url, TONGS_TOKEN: "not-a-real-token", TONGS_CONFIG_DIR: join(memory, "config") });
  return timed(process.execPath, [program, "artifact", "download", "-R", "mara/harbor", ...args], { cwd, env });
}

/** A zip of one stored entry, written piece by piece. */
function storedZip(path, megabytes) {
  const noise = randomBytes(1024 * 1024);
  const size = megabytes * noise.length;
  let crc = 0;
  for (let index = 0; index < megabytes; index += 1) crc = crc32(noise, crc);
  const fd = openSync(path, "w");
  const local = Buffer.alloc(31);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(size, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(1, 26);
  local.write("n", 30);
  writeSync(fd, local);
  for (let index = 0; index < megabytes; index += 1) writeSync(fd, noise);
  const tail = Buffer.alloc(47 + 22);
  tail.writeUInt32LE(0x02014b50, 0);
  local.copy(tail, 16, 14, 28);
  tail.write("n", 46);
  tail.writeUInt32LE(0x06054b50, 47);
  tail.writeUInt16LE(1, 55);
  tail.writeUInt16LE(1, 57);
  tail.writeUInt32LE(47, 59);
  tail.writeUInt32LE(31 + size, 63);
  writeSync(fd, tail);
  closeSync(fd);
}

async function downloads() {
  const file = join(memory, "large.zip");
  storedZip(file, 1024);
  await serving(0, [file], async (url) => {
    for (const [name, folder, target] of [
      ["1 GiB to memory", memory, "at most 1.6"],
      ["1 GiB to disk", disk, "at most 1.1"],
    ]) {
      const out = join(folder, "out.zip");
      const curl = () => {
        rmSync(out, { force: true });
        return timed("curl", ["-sSL", "-o", out, `${url}/api/v1/repos/mara/harbor/actions/artifacts/1/zip`]);
      };
      const ours = () => {
        rmSync(out, { force: true });
        rmSync(join(folder, "artifact-1.zip"), { force: true });
        return tongs(url, ["1", "--zip", "--dir", folder], folder);
      };
      compare(`${name}, curl`, curl, ours, target);
      rmSync(out, { force: true });
      rmSync(join(folder, "artifact-1.zip"), { force: true });
    }
  });
}

async function unpacking() {
  const source = join(memory, "source");
  mkdirSync(source);
  const words = "tide harbor quay crane signal buoy ledger watch".split(" ");
  for (let index = 0; index < 3000; index += 1) {
    let text = "";
    const length = index < 20 ? 15_000_000 : 67_000;
    while (text.length < length)
      text += `${randomBytes(8).toString("hex")} ${words[text.length % 8]} ${words[index % 8]}\n`.repeat(4);
    mkdirSync(join(source, `d${index % 50}`), { recursive: true });
    writeFileSync(join(source, `d${index % 50}`, `f${index}.log`), text.slice(0, length));
  }
  const archive = join(memory, "many.zip");
  spawnSync("zip", ["-qr", archive, "."], { cwd: source });
  rmSync(source, { recursive: true });
  const size = statSync(archive).size;
  console.log(`(500 MB in 3,000 files, packed ${Math.round(size / 1e6)} MB)`);
  await serving(0, [archive], async (url) => {
    const unzip = () => {
      rmSync(join(memory, "unzip"), { recursive: true, force: true });
      return timed("unzip", ["-q", "-o", archive, "-d", join(memory, "unzip")]);
    };
    // The download is part of what tongs does here; unzip finds its archive ready.
    const ours = () => {
      rmSync(join(memory, "ours"), { recursive: true, force: true });
      return tongs(url, ["1", "--dir", join(memory, "ours")], memory);
    };
    compare("unpacking, unzip", unzip, ours, "at most 1.0, download included");
  });
}

async function many() {
  const file = join(memory, "small.zip");
  storedZip(file, 1);
  await serving(
    20,
    Array.from({ length: 40 }, () => file),
    async (url) => {
      const each = () => {
        rmSync(join(memory, "many"), { recursive: true, force: true });
        const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
        const sum = { seconds: 0, peak: 0 };
        for (const id of ids) {
          const one = tongs(url, [id, "--dir", join(memory, "many", id)], memory);
          sum.seconds += one.seconds;
        }
        return sum;
      };
      const inTurn = () => {
        rmSync(join(memory, "many"), { recursive: true, force: true });
        return tongs(url, ["--run", "1", "--jobs", "1", "--dir", join(memory, "many")], memory);
      };
      const together = (jobs) => () => {
        rmSync(join(memory, "many"), { recursive: true, force: true });
        return tongs(url, ["--run", "1", "--jobs", jobs, "--dir", join(memory, "many")], memory);
      };
      compare("40 × 1 MB, a process each", each, together("4"), "at most 0.25");
      compare("40 × 1 MB, --jobs 1", inTurn, together("4"), "--jobs 4");
      compare("40 × 1 MB, --jobs 1", inTurn, together("16"), "--jobs 16");
    },
  );
}

try {
  const all = { download: downloads, unpack: unpacking, many };
  for (const [name, run] of Object.entries(all)) if (wanted.length === 0 || wanted.includes(name)) await run();
} finally {
  rmSync(memory, { recursive: true, force: true });
  rmSync(disk, { recursive: true, force: true });
}
