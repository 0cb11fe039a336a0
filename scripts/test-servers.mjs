// Real servers for the contract tests: Gitea and its runner, built from their Go modules into a folder outside the
// repository and started on loopback, with their data in a folder that is deleted at the end.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The version of Gitea that is tested by default. */
export const defaultGitea = "1.26.0";
const runnerVersion = "1.0.8";

/** A server that cannot be had here: Go is not installed, or a module cannot be downloaded or built. */
export class NoServerError extends Error {}

/** Where built servers are kept. */
function cacheFolder() {
  const { TONGS_TEST_SERVERS: own, XDG_CACHE_HOME: caches = join(homedir(), ".cache") } = process.env;
  return own ?? join(caches, "tongs-test-servers");
}

/**
 * Runs Go and returns its stdout, or throws a `NoServerError`.
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
function go(args, options = {}) {
  // Without a C compiler, the database would be missing from the program.
  const env = { ...process.env, CGO_ENABLED: "1" };
  const limits = { timeout: 1_200_000, maxBuffer: 1e8 };
  const ran = spawnSync("nice", ["go", ...args], { ...options, ...limits, env, encoding: "utf8" });
  if (ran.status === 0) return ran.stdout;
  if (ran.error === undefined && spawnSync("go", ["version"]).error) throw new NoServerError("Go is not installed");
  // `go mod download -json` says what failed in its JSON.
  const told = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout).Error : undefined;
  const isLate = ran.error !== undefined && "code" in ran.error && ran.error.code === "ETIMEDOUT";
  if (isLate) throw new NoServerError(`go ${args[0]} took longer than 20 minutes`);
  const reason = ran.error?.message ?? told ?? ran.stderr.trim().split("\n").slice(-3).join("; ");
  throw new NoServerError(`go ${args[0]}: ${reason || "ended by a signal"}`);
}

/**
 * The program of a Go module, which is built unless the cache has it, and the folder with the module's sources.
 * @param {string} name
 * @param {string} path
 * @param {string} version
 */
function built(name, path, version) {
  /** @type {{ Dir: string }} */
  const { Dir: sources } = JSON.parse(go(["mod", "download", "-json", `${path}@v${version}`], { cwd: tmpdir() }));
  const program = join(cacheFolder(), `${name}-${version}`);
  if (spawnSync(program, ["--version"]).status === 0) return { program, sources };
  console.log(`Building ${name} ${version}, which takes some minutes`);
  const scratch = `${program}.${process.pid}`;
  try {
    mkdirSync(cacheFolder(), { recursive: true });
    const flags = ["-tags", "sqlite sqlite_unlock_notify", "-ldflags", `-X main.Version=${version}`];
    go(["build", ...flags, "-o", scratch, "."], { cwd: sources });
    renameSync(scratch, program);
  } catch (error) {
    throw error instanceof NoServerError ? error : new NoServerError(`${error}`);
  }
  return { program, sources };
}

/**
 * Starts a Gitea with an administrator, and a runner for jobs with the label `ubuntu-latest`, which run on this machine.
 * Throws a `NoServerError` if it cannot be had.
 * @param {string} version
 */
export async function startGitea(version) {
  const gitea = built("gitea", "code.gitea.io/gitea", version);
  const runner = built("runner", "gitea.com/gitea/runner", runnerVersion);
  const folder = mkdtempSync(join(tmpdir(), "tongs-servers-"));
  /** @type {import("node:child_process").ChildProcess[]} */
  const started = [];
  const stop = () => {
    for (const child of started.reverse()) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  /** @type {(name: string, program: string, args: readonly string[]) => void} */
  const start = (name, program, args) => {
    const log = openSync(join(folder, `${name}.log`), "a");
    started.push(spawn(program, args, { cwd: folder, stdio: ["ignore", log, log] }));
  };
  /** @type {(program: string, args: readonly string[]) => string} */
  const run = (program, args) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}: ${stderr || stdout}`);
    // As root, Gitea prints a warning first.
    return stdout.trim().split("\n").at(-1) ?? "";
  };
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = join(folder, "app.ini");
    writeFileSync(config, giteaConfig({ folder, port, sources: gitea.sources }));
    const admin = ["--config", config, "admin", "user"];
    run(gitea.program, ["--config", config, "migrate"]);
    const account = ["--username", "warden", "--email", "warden@example.org", "--random-password"];
    run(gitea.program, [...admin, "create", "--admin", ...account]);
    const ofAdmin = ["--username", "warden", "--token-name", "tests", "--scopes", "all", "--raw"];
    const token = run(gitea.program, [...admin, "generate-access-token", ...ofAdmin]);
    start("gitea", gitea.program, ["--config", config, "web"]);
    for (let tries = 0; !(await isUp(url)); tries += 1) {
      if (started[0]?.exitCode !== null || tries > 300)
        throw new Error(readFileSync(join(folder, "gitea.log"), "utf8"));
      await setTimeout(200);
    }
    const registration = run(gitea.program, ["--config", config, "actions", "generate-runner-token"]);
    writeFileSync(join(folder, "runner.yaml"), runnerConfig(folder));
    const own = ["--config", join(folder, "runner.yaml")];
    const about = ["--instance", url, "--token", registration, "--name", "dock-1", "--labels", "ubuntu-latest:host"];
    run(runner.program, [...own, "register", "--no-interactive", ...about]);
    start("runner", runner.program, [...own, "daemon"]);
    return { url, token, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** @param {string} url */
const isUp = (url) =>
  fetch(`${url}/api/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** @param {{ folder: string, port: number, sources: string }} given */
const giteaConfig = ({ folder, port, sources }) => `
RUN_USER = ${userInfo().username}
WORK_PATH = ${folder}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = ${process.getuid?.() === 0}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
STATIC_ROOT_PATH = ${sources}
OFFLINE_MODE = true
DISABLE_SSH = true
LFS_START_SERVER = true
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, "gitea.db")}
[security]
INSTALL_LOCK = true
SECRET_KEY = ${randomBytes(32).toString("hex")}
PASSWORD_HASH_ALGO = pbkdf2_v1
[log]
LEVEL = Warn
[indexer]
ISSUE_INDEXER_TYPE = db
[actions]
ENABLED = true
[webhook]
ALLOWED_HOST_LIST = *
[migrations]
ALLOW_LOCALNETWORKS = true
`;

/** @param {string} folder */
const runnerConfig = (folder) => `
runner:
  file: ${join(folder, ".runner")}
  capacity: 4
  fetch_interval: 1s
  fetch_interval_max: 1s
  log_report_interval: 1s
  log_report_max_latency: 500ms
  state_report_interval: 1s
cache:
  enabled: false
host:
  workdir_parent: ${join(folder, "work")}
`;
