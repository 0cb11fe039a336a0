// Runs all checks: set-up, build, lint, floors, types, tests, that they send every operation, and the end-to-end tests on the
// standalone program if its compiler is installed; with CI=true also the contract tests on it, as Forgejo, on Node 24 and on a
// Gitea. The names of all that failed come last, before the line `N passed, N failed`, which has `, N skipped` at its end if
// any were. Arguments are passed to vitest, after a build; --standalone is the build and the tests of the standalone program,
// --servers [VERSION…] the contract tests on these versions of Gitea, --servers --url URL --token TOKEN on any server.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, top } from "./setup.mjs";
import { buildStandalone, hostTarget, installedBun, NoCompilerError } from "./standalone.mjs";
import { defaultGitea, NoServerError, startGitea } from "./test-servers.mjs";

const began = Date.now();
ensureInstalled();
// The temporary directory of the tests, which is deleted at the end.
const folder = mkdtempSync(join(tmpdir(), "tongs-test-"));
const { NODE_EXTRA_CA_CERTS: _unset, ...rest } = process.env;
const env = { ...rest, TMPDIR: folder };
/** @type {string[]} */
const failures = [];
/** @param {string} name */
const local = (name) => join(top, "node_modules", ".bin", name);
/** @type {(program: string, args: readonly string[]) => boolean} */
const step = (program, args) => spawnSync(program, args, { cwd: top, stdio: ["ignore", 1, 2], env }).status === 0;

const isCi = process.env["CI"] === "true";
const only = process.argv.slice(2);
/** @type {[string, () => boolean][]} */
const checks = [
  ["build", () => step(process.execPath, [join(top, "scripts", "build.mjs")])],
  ["format and lint", () => step(local("biome"), ["check", "."])],
  ["floors", () => step(process.execPath, [join(top, "scripts", "floors.mjs")])],
  ["types", () => step(local("tsc"), ["--noEmit"])],
  ["types of scripts", () => step(local("tsc"), ["--noEmit", "-p", "scripts"])],
];
let passed = 0;
for (const [name, check] of only[0] === "--servers" ? [] : only.length > 0 ? checks.slice(0, 1) : checks) {
  if (check()) passed += 1;
  else failures.push(name);
}

// By default one worker runs on two cores, but tests wait much for servers and programs.
const sideBySide = ["--maxWorkers", "3"];
let skipped = 0;
const requests = join(folder, "requests.log");
if (only[0] === "--standalone") {
  standaloneProgram(true);
} else if (only[0] === "--servers") {
  await servers(only.slice(1));
} else if (only.length > 0) {
  vitest(process.execPath, only);
} else {
  vitest(process.execPath, sideBySide, { TONGS_TEST_REQUESTS: requests, ...(isCi ? spark() : {}) });
  if (isCi) contractAsForgejo();
  if (isCi) contractOnNode24();
  standaloneProgram(isCi);
  const hasServer = isCi && (await onGitea(defaultGitea, { TONGS_TEST_REQUESTS: requests }));
  await everyOperation(hasServer);
}
rmSync(folder, { recursive: true, force: true });
console.log(`Took ${Math.round((Date.now() - began) / 1000)} s`);
for (const name of failures) console.log(`FAILED: ${name}`);
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failures.length === 0 ? 0 : 1);

/**
 * Runs tests on a Node and adds their numbers.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {Record<string, string>} [more] of the environment
 * @param {string} [where] the tests run, if not as always
 */
function vitest(node, args, more = {}, where = "") {
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
  const path = `${dirname(node)}${delimiter}${process.env["PATH"]}`;
  const ended = spawnSync(node, [join(top, "node_modules", "vitest", "vitest.mjs"), "run", ...reporters, ...args], {
    cwd: top,
    stdio: ["ignore", 1, 2],
    env: { ...env, PATH: path, ...more },
  });
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    rmSync(report);
    passed += result.numPassedTests;
    skipped += result.numPendingTests + result.numTodoTests;
    const before = failures.length;
    for (const file of result.testResults) {
      const name = relative(top, file.name);
      const tests = file.assertionResults.filter((/** @type {{ status: string }} */ test) => test.status === "failed");
      for (const test of tests) failures.push(`${name}${where}: ${test.fullName}${reason(test.failureMessages[0])}`);
      // A test file that cannot be loaded, or whose set-up fails, counts as a failure.
      if (file.status === "failed" && tests.length === 0) failures.push(`${name}${where}: ${file.message}`);
    }
    if (ended.status !== 0 && failures.length === before) failures.push(`vitest ended with ${ended.status}`);
  } catch (error) {
    failures.push(`no report of vitest: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * The first lines of a failed test's message, below its name.
 * @param {string | undefined} message
 */
function reason(message = "") {
  const lines = message.split("\n").filter((line) => !/^ +at .*node_modules/.test(line));
  return lines
    .slice(0, 12)
    .map((line) => `\n    ${line}`)
    .join("");
}

/**
 * Checks that the tests have sent every operation, and run every command on the sandbox, a recording or a server.
 * @param {boolean} hasServer whether they ran on a server, too
 */
async function everyOperation(hasServer) {
  // Not before the packages are installed, which it imports.
  const { unprinted, unproven, unsent } = await import("./sent.mjs");
  const log = existsSync(requests) ? readFileSync(requests, "utf8") : "";
  const exempt = hasServer ? [] : readFileSync(join(top, "test/data/only-on-servers.txt"), "utf8").split("\n");
  for (const [what, names] of /** @type {const} */ ([
    ["no test sends", await unsent(log)],
    ["no test runs on the sandbox, a recording or a server:", await unproven(log)],
    ["no test prints there as JSON what these have:", await unprinted(log)],
  ])) {
    const missing = names.filter((name) => !exempt.includes(name));
    if (missing.length === 0) passed += 1;
    else failures.push(`${what} ${missing.join(", ")}`);
  }
}

/** Runs the contract tests on the sandbox as Forgejo, too. */
function contractAsForgejo() {
  const started = Date.now();
  vitest(process.execPath, ["--project", "contract", ...sideBySide], { TONGS_CONTRACT_AS: "forgejo" }, " as Forgejo");
  console.log(`Contract tests as Forgejo took ${Math.round((Date.now() - started) / 1000)} s`);
}

/**
 * Runs the contract tests on the server of `--url` and `--token`, or on versions of Gitea.
 * @param {string[]} args
 */
async function servers(args) {
  /** @type {import("node:util").ParseArgsConfig["options"]} */
  const options = { url: { type: "string" }, token: { type: "string" } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { url, token } = values;
  if (typeof url === "string" && typeof token === "string") return contractOn({ url, token }, url);
  if (url !== undefined || token !== undefined) throw new Error("--url and --token go together");
  for (const version of positionals.length > 0 ? positionals : [defaultGitea]) await onGitea(version);
}

/**
 * Runs the contract tests on a Gitea with its runner, which are built if need be, or prints why they cannot be had. Returns
 * whether they ran.
 * @param {string} version
 * @param {Record<string, string>} [more] of the environment
 */
async function onGitea(version, more = {}) {
  const started = Date.now();
  try {
    const gitea = await startGitea(version);
    try {
      contractOn(gitea, `Gitea ${version}`, more);
    } finally {
      await gitea.stop();
    }
  } catch (error) {
    if (!(error instanceof NoServerError)) failures.push(`Gitea ${version} did not start: ${error}`);
    else console.log(`Skipped the contract tests on Gitea ${version}: ${error.message}`);
    return false;
  }
  console.log(`Contract tests on Gitea ${version} took ${Math.round((Date.now() - started) / 1000)} s`);
  return true;
}

/** @type {(server: { readonly url: string, readonly token: string }, name: string, more?: Record<string, string>) => void} */
function contractOn({ url, token }, name, more = {}) {
  const env = { TONGS_CONTRACT_URL: url, TONGS_CONTRACT_TOKEN: token, ...more };
  vitest(process.execPath, ["--project", "contract", ...sideBySide], env, ` on ${name}`);
}

/** Runs the contract tests on Node 24 too, unless this is Node 24 or it cannot be installed. */
function contractOnNode24() {
  const started = Date.now();
  const node = process.version.startsWith("v24.") ? undefined : installNode24();
  if (node === undefined) return;
  vitest(node, ["--project", "contract", ...sideBySide]);
  console.log(`Contract tests on Node 24 took ${Math.round((Date.now() - started) / 1000)} s`);
}

/**
 * Runs the end-to-end tests, and in CI or if asked the contract tests, on the standalone program for Linux, unless it cannot
 * be built here. Its compiler is downloaded only in CI or if asked.
 * @param {boolean} download
 */
function standaloneProgram(download) {
  const started = Date.now();
  /** @param {string} reason */
  const skip = (reason) => console.log(`Skipped the tests of the standalone program: ${reason}`);
  if (hostTarget !== "linux-x64") return skip(`they run on linux-x64, and this is ${hostTarget}`);
  if (!download && installedBun() === undefined)
    return skip("its compiler, bun, is not installed; CI and npm run test:standalone download it");
  try {
    const [program = ""] = buildStandalone([hostTarget], join(folder, "standalone"));
    const projects = ["e2e", ...(download ? ["contract"] : [])].flatMap((name) => ["--project", name]);
    vitest(process.execPath, [...projects, ...sideBySide], { TONGS_E2E_PROGRAM: program });
  } catch (error) {
    if (!(error instanceof NoCompilerError)) throw error;
    return skip(error.message);
  }
  console.log(`Tests of the standalone program took ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Installs Spark into the temporary directory for the queries of docs/fleet.md, or prints why it cannot. */
function spark() {
  const home = join(folder, "spark");
  const python = join(home, "bin", "python3");
  /** @type {[string, string[]][]} */
  const steps = [
    ["java", ["-version"]],
    ["python3", ["-m", "venv", home]],
    [python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "0", "pyspark==4.3.*"]],
  ];
  for (const [program, args] of steps) {
    const ran = spawnSync(program, args, { encoding: "utf8", timeout: 600_000 });
    if (ran.status === 0) continue;
    const reason = ran.error?.message ?? ran.stderr.trim().split("\n").at(-1);
    console.log(`Skipped the queries in Spark: ${reason}`);
    return {};
  }
  return { TONGS_TEST_PYTHON: python };
}

/** Installs Node 24 into the temporary directory; returns its path, or prints why it cannot run. */
function installNode24() {
  // The package that `node` installs by a script, which npm may be set not to run.
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const prefix = join(folder, "node-24");
  mkdirSync(prefix);
  const args = [
    "install",
    "--prefix",
    prefix,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--fetch-retries",
    "0",
    `${name}@24`,
  ];
  const shell = process.platform === "win32";
  const installed = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell, timeout: 120_000 });
  const node = join(prefix, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  const version = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (version.status === 0) return node;
  const errors = [...(installed.stderr ?? "").matchAll(/^npm error (?!code|syscall|errno)(.*)$/gm)];
  const reason = installed.error?.message ?? errors[0]?.[1] ?? version.error?.message ?? version.stderr.trim();
  console.log(`Skipped the contract tests on Node 24: ${reason}`);
  return undefined;
}
