// Accounts, stars and lists in numbers, each held against its target. Run: node test/bench/social/bench.mjs
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { listServer, trivialServer } from "./servers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../../..");
const folder = mkdtempSync(join(tmpdir(), "tongs-bench-"));
const { NODE_EXTRA_CA_CERTS: _unset, ...clean } = process.env;

execFileSync(process.execPath, [join(top, "scripts", "build.mjs")], { stdio: "inherit" });
await build({
  absWorkingDir: top,
  entryPoints: { sandbox: "src/sandbox/serve.ts" },
  outdir: folder,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  minify: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  logLevel: "error",
  define: { TONGS_VERSION: '"0.0.0"' },
});
const tongs = join(top, "bin", "tongs.js");

/** Runs a program of Node to its end; seconds, and what it said on stderr. Throws when it fails. */
function run(words, env = {}) {
  const begun = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: { PATH: clean.PATH, TONGS_CONFIG_DIR: folder, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    child.on("close", (code) => {
      const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
      if (code === 0) resolve({ seconds, stderr });
      else reject(new Error(`${words.join(" ")}: ${code}\n${stderr.slice(0, 2000)}`));
    });
  });
}

let prefix = 0;
/** A CSV of `count` people whose names nobody has yet. */
function people(count) {
  prefix += 1;
  const file = join(folder, `people-${prefix}.csv`);
  const rows = Array.from(
    { length: count },
    (_, index) => `p${prefix}u${index},p${prefix}u${index}@example.org,not-a-secret`,
  );
  writeFileSync(file, `username,email,password\n${rows.join("\n")}\n`);
  return file;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
const results = [];
function report(name, value, target, good) {
  results.push(good);
  console.log(`${good ? "ok  " : "MISS"} ${name}: ${value} (target ${target})`);
}

async function sandboxed(measure) {
  const { startSandbox } = createRequire(import.meta.url)(join(folder, "sandbox.cjs"));
  const sandbox = await startSandbox({ port: 0, empty: true, now: () => new Date(), env: process.env });
  const { token } = sandbox.users.find((user) => user.is_admin);
  const result = await measure(sandbox.url, token, { TONGS_HOST: sandbox.url, TONGS_TOKEN: token });
  await sandbox.close();
  return result;
}

async function importing() {
  const ratios = [];
  let imported = 0;
  // Fresh servers, and the two in turn, since the sandbox gets slower with the number of accounts.
  for (let round = 0; round < 5; round += 1) {
    const bare = () => sandboxed((url, token) => run([join(here, "bare-client.cjs"), url, token, people(1000), "8"]));
    const ours = () => sandboxed((_url, _token, env) => run([tongs, "user", "import", people(1000), "--quiet"], env));
    const [first, second] = round % 2 === 0 ? [bare, ours] : [ours, bare];
    const [one, other] = [await first(), await second()];
    const [theirs, mine] = round % 2 === 0 ? [one, other] : [other, one];
    ratios.push(mine.seconds / theirs.seconds);
    imported = mine.seconds;
  }
  const ratio = median(ratios);
  const times = `${ratio.toFixed(2)}x, ${imported.toFixed(2)} s`;
  report("1,000 users imported, against a bare keep-alive client", times, "<= 1.1x", ratio <= 1.1);

  const single = await sandboxed(async (_url, _token, env) => {
    const begun = performance.now();
    for (let index = 0; index < 20; index += 1) {
      const line = ["user", "create", `single${index}`, "--email", `single${index}@example.org`, "--generate-password"];
      await run([tongs, ...line], env);
    }
    return (performance.now() - begun) / 1000 / 20;
  });
  const gain = (single * 1000) / imported;
  report(
    "1,000 users imported, against a shell loop of user create",
    `${gain.toFixed(0)}x faster`,
    ">= 10x",
    gain >= 10,
  );
}

async function memory() {
  const server = await trivialServer();
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
  const peak = async (count) => {
    const line = ["-r", join(here, "peak.cjs"), tongs, "user", "import", people(count), "--quiet"];
    const { stderr, seconds } = await run(line, env);
    return { megabytes: Number(/peak (\d+)/.exec(stderr)[1]) / 1024, seconds };
  };
  const [small, large] = [await peak(20_000), await peak(100_000)];
  await server.close();
  const value = `${large.megabytes.toFixed(0)} MB, ${small.megabytes.toFixed(0)} MB for 20,000; ${large.seconds.toFixed(1)} s`;
  report("100,000 rows: peak memory", value, "<= 1.25x", large.megabytes <= small.megabytes * 1.25);
}

async function stars() {
  const server = await trivialServer(5);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
  const names = Array.from({ length: 500 }, (_, index) => `mara/r${index}`);
  const { seconds } = await run([tongs, "star", "add", ...names, "--quiet"], env);
  await server.close();
  const gain = (500 * 0.005) / seconds;
  report(
    "500 stars, against one after the other at 5 ms",
    `${gain.toFixed(1)}x faster, ${seconds.toFixed(2)} s`,
    ">= 3x",
    gain >= 3,
  );
}

async function listing() {
  const server = await listServer(5_000, 20);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
  const begun = performance.now();
  for (let page = 1; page <= 100; page += 1) {
    const response = await fetch(`${server.url}/api/v1/admin/users?limit=50&page=${page}`);
    await response.json();
  }
  const pageByPage = (performance.now() - begun) / 1000;
  const { seconds } = await run([tongs, "user", "list", "--all", "--json"], env);
  await server.close();
  const gain = pageByPage / seconds;
  const value = `${gain.toFixed(1)}x faster, ${seconds.toFixed(2)} s`;
  report("5,000 users listed, against page by page at 20 ms", value, ">= 6x", gain >= 6);
}

await importing();
await memory();
await stars();
await listing();
rmSync(folder, { recursive: true, force: true });
process.exitCode = results.every(Boolean) ? 0 : 1;
