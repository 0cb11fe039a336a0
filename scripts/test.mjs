// Runs all checks: set-up, build, lint and tests. The last line is `N passed, N failed`, with `, N skipped` if any were.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, top } from "./setup.mjs";

const began = Date.now();
ensureInstalled();
// The temporary directory of the tests, which is deleted at the end.
const folder = mkdtempSync(join(tmpdir(), "tongs-test-"));
const { NODE_EXTRA_CA_CERTS: _unset, ...rest } = process.env;
const env = { ...rest, TMPDIR: folder };
const local = (name) => join(top, "node_modules", ".bin", name);
const step = (program, args) => spawnSync(program, args, { cwd: top, stdio: ["ignore", 1, 2], env }).status === 0;

const only = process.argv.slice(2);
const checks = [
  ["build", () => step(process.execPath, [join(top, "scripts", "build.mjs")])],
  ["format and lint", () => step(local("biome"), ["check", "."])],
  ["types", () => step(local("tsc"), ["--noEmit"])],
];
let passed = 0;
let failed = 0;
for (const [name, check] of only.length > 0 ? checks.slice(0, 1) : checks) {
  if (check()) passed += 1;
  else {
    failed += 1;
    console.log(`FAILED: ${name}`);
  }
}

const report = join(folder, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
const ended = spawnSync(local("vitest"), ["run", ...reporters, ...only], { cwd: top, stdio: ["ignore", 1, 2], env });
let skipped = 0;
try {
  const result = JSON.parse(readFileSync(report, "utf8"));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  skipped = result.numPendingTests + result.numTodoTests;
  // A test file that cannot be loaded, or whose set-up fails, counts as a failure.
  const unfailed = (file) => file.assertionResults.every((test) => test.status !== "failed");
  const broken = result.testResults.filter((file) => file.status === "failed" && unfailed(file));
  failed += broken.length;
  if (ended.status !== 0 && failed === 0) failed = 1;
} catch {
  failed += 1;
}
rmSync(folder, { recursive: true, force: true });
console.log(`Took ${Math.round((Date.now() - began) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);
