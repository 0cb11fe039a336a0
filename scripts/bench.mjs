// Measures what was promised of speed, as ratios of whole processes in one run: node scripts/bench.mjs
//   [--node PATH]…   these Nodes too, besides the one that runs this      [--rounds N]   (31; paging takes a third)
// Ends with exit code 1 when a promise is not kept.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { timePairs } from "../test/bench/pairs.mjs";
import { run, top } from "./setup.mjs";

const { values } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [] }, rounds: { type: "string", default: "31" } },
});
const rounds = Number(values.rounds);
const tongs = join(top, "bin", "tongs.js");
const folder = mkdtempSync(join(tmpdir(), "tongs-bench-"));
// With NODE_EXTRA_CA_CERTS Node 20 reads every certificate at each start, which would hide all else.
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...inherited } = process.env;
const env = {
  ...inherited,
  ...{ TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor", TONGS_CONFIG_DIR: folder },
  ...{ XDG_CACHE_HOME: folder, NO_PROXY: "*" },
};

run(process.execPath, [join(top, "scripts", "build.mjs")]);
const servers = [];
let missed = 0;
try {
  const [quick, slow] = [await serve(0), await serve(20)];
  for (const node of [process.execPath, ...values.node]) {
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    console.log(`\nNode ${stdout.trim()}`);
    startUp(node, quick);
    paging(node, slow);
  }
} finally {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(missed === 0 ? 0 : 1);

function startUp(node, host) {
  const commands = [
    { name: "node -e 0", argv: [node, "-e", "0"] },
    { name: "--version", argv: [node, tongs, "--version"] },
    { name: "--help", argv: [node, tongs, "--help"] },
    { name: "pr view 12", argv: [node, tongs, "pr", "view", "12"] },
  ];
  const timed = timePairs(commands, { rounds, env: { ...env, TONGS_HOST: host } });
  row("node -e 0", timed.milliseconds("node -e 0"), 1);
  for (const [name, most] of [
    ["--version", 1.15],
    ["--help", 1.3],
    ["pr view 12", 2.2],
  ]) {
    row(name, timed.milliseconds(name), timed.ratio(name, "node -e 0"), { most, of: "of node -e 0" });
  }
}

function paging(node, host) {
  const list = ["pr", "list", "--all"];
  const address = `${host}/api/v1/repos/mara/harbor/pulls?limit=50&page=[1-100]`;
  const curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--output", "/dev/null", address];
  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  const commands = [
    { name: "side by side", argv: [node, tongs, ...list, "--host", host] },
    { name: "one by one", argv: [node, tongs, ...list, "--host", `${host}/untold`] },
    ...(hasCurl ? [{ name: "curl", argv: curl }] : []),
  ];
  const timed = timePairs(commands, { rounds: Math.max(3, Math.round(rounds / 3)), warmUp: 1, env });
  row("100 pages one by one", timed.milliseconds("one by one"));
  const faster = timed.ratio("one by one", "side by side");
  row("100 pages side by side", timed.milliseconds("side by side"), faster, { least: 7, of: "times faster" });
  if (!hasCurl) console.log("  curl -Z: skipped, there is no curl on the PATH");
  else {
    row("curl -Z, 16", timed.milliseconds("curl"));
    row("100 pages", timed.milliseconds("side by side"), timed.ratio("side by side", "curl"), {
      most: 1.8,
      of: "of curl",
    });
  }
}

/** Prints a line, and whether the promise is kept. */
function row(name, milliseconds, ratio, { most, least, of = "" } = {}) {
  const kept = (most === undefined || ratio <= most) && (least === undefined || ratio >= least);
  if (!kept) missed += 1;
  const promise = most === undefined ? (least === undefined ? "" : `at least ${least}`) : `at most ${most}`;
  const figures = ratio === undefined ? "" : `${ratio.toFixed(2).padStart(6)} ${of.padEnd(14)} ${promise.padEnd(13)}`;
  const verdict = promise === "" ? "" : kept ? "kept" : "MISSED";
  console.log(`  ${name.padEnd(24)}${milliseconds.toFixed(1).padStart(8)} ms ${figures} ${verdict}`.trimEnd());
}

/** Starts the server of the benchmarks in a process of its own, and returns its address. */
function serve(latency) {
  const server = spawn(process.execPath, [join(top, "test", "bench", "forge.mjs"), String(latency)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.stdout.once("data", (port) => resolve(`http://127.0.0.1:${String(port).trim()}`));
  });
}
