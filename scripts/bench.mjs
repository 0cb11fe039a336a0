// Measures speed as ratios of processes in one run, and checks the limits: npm run bench -- [PART…]
//   PART           start-up, paging, artifacts, clone, metrics, receiving, import, policy, standalone (default: all)
//   --node PATH    also measure with this Node (can be repeated)
//   --rounds N     how often to run each command (default: 31); slow commands are run less often
// Exits with code 1 if a limit is exceeded.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run, top } from "./setup.mjs";

/** The file of each part, below test/bench; it exports `measure`. */
/** @type {Record<string, string>} */
const parts = {
  "start-up": "start-up.mjs",
  paging: "paging.mjs",
  artifacts: "artifact/bench.mjs",
  clone: "clone.mjs",
  metrics: "metrics/bench.mjs",
  receiving: "receiving/bench.mjs",
  import: "social/bench.mjs",
  policy: "policy.mjs",
  standalone: "standalone.mjs",
};

const { values, positionals } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [] }, rounds: { type: "string", default: "31" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`Unknown part ${unknown.join(", ")}. Available: ${Object.keys(parts).join(", ")}`);
const wanted = positionals.length > 0 ? positionals : Object.keys(parts);
const folder = mkdtempSync(join(tmpdir(), "tongs-bench-"));
// With NODE_EXTRA_CA_CERTS, Node 20 reads all certificates at every start, which takes most of the time.
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...inherited } = process.env;
const settings = {
  TONGS_TOKEN: "not-a-real-token",
  TONGS_REPO: "mara/harbor",
  TONGS_CONFIG_DIR: folder,
  XDG_CACHE_HOME: folder,
  NO_PROXY: "*",
};

run(process.execPath, [join(top, "scripts", "build.mjs")]);
/** @type {import("node:child_process").ChildProcess[]} */
const servers = [];
let missed = 0;
try {
  for (const node of [process.execPath, ...values.node]) {
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
    for (const name of wanted) {
      console.log(`\n${name}, Node ${version}`);
      const { measure } = await import(`../test/bench/${parts[name]}`);
      await measure({
        node,
        version,
        folder,
        top,
        tongs: join(top, "bin", "tongs.js"),
        env: { ...inherited, ...settings },
        /** The number of rounds for a command that takes `weight` times as long as a start. */
        rounds: (weight = 1) => Math.max(3, Math.round(Number(values.rounds) / weight)),
        row,
        serve,
      });
    }
  }
} finally {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(missed === 0 ? 0 : 1);

/**
 * Prints a line: a time in milliseconds, a figure with its unit, and whether the limit is kept, if there is one.
 * @param {string} name
 * @param {number | undefined} milliseconds
 * @param {number | undefined} figure
 * @param {{ most?: number, least?: number, of?: string }} [limits]
 */
function row(name, milliseconds, figure, { most, least, of = "" } = {}) {
  const measured = figure ?? Number.NaN;
  const kept = (most === undefined || measured <= most) && (least === undefined || measured >= least);
  if (!kept) missed += 1;
  const limit = most === undefined ? (least === undefined ? "" : `at least ${least}`) : `at most ${most}`;
  const figures = figure === undefined ? "" : `${figure.toFixed(2).padStart(6)} ${of.padEnd(14)} ${limit.padEnd(13)}`;
  const verdict = limit === "" ? "" : kept ? "kept" : "MISSED";
  const time = milliseconds === undefined ? "".padStart(11) : `${milliseconds.toFixed(1).padStart(8)} ms`;
  console.log(`  ${name.padEnd(32)}${time} ${figures} ${verdict}`.trimEnd());
}

/**
 * Starts a server in its own process, a file below test/bench that prints its address; returns the address.
 * @param {string} file
 * @param {readonly (string | number)[]} words
 * @returns {Promise<string>}
 */
function serve(file, ...words) {
  const server = spawn(process.execPath, [join(top, "test", "bench", file), ...words.map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.stdout.once("data", (url) => resolve(String(url).trim()));
  });
}
