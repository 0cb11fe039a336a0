// Runs a demo of tongs on a temporary sandbox. Each printed command line is run by a shell as printed.
// --keep keeps the sandbox and the clone, and prints how to use and stop them. --built uses dist without a new build.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureInstalled, run, top } from "./setup.mjs";

const keep = process.argv.includes("--keep");
/** @typedef {{ url: string, users: { login: string, password: string, token: string }[] }} Site */

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();
let folder = "";
/** @type {import("node:child_process").ChildProcess | undefined} */
let sandbox;
/** @type {string | undefined} */
let signalled;

/** @type {Record<string, number>} */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 };
/** @param {"SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE"} signal */
function stop(signal) {
  signalled ??= signal;
  for (const child of children) if (child !== sandbox) child.kill(signal);
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, stop);
process.stdout.on("error", () => stop("SIGPIPE"));

try {
  ensureInstalled();
  if (!process.argv.includes("--built"))
    run(process.execPath, [join(top, "scripts", "build.mjs")], { stdio: ["ignore", 2, 2] });
  await runDemo();
} catch (error) {
  if (signalled === undefined) {
    console.error(`The demo failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
} finally {
  if (!keep || signalled !== undefined || process.exitCode !== undefined) await cleanUp();
}
process.exit(exitCodes[signalled ?? ""] ?? process.exitCode ?? 0);

async function runDemo() {
  folder = mkdtempSync(join(tmpdir(), "tongs-demo-"));
  const env = isolatedEnvironment();
  const site = await startSandbox(env);
  const mara = site.users.find(({ login }) => login === "mara");
  writeFileSync(join(folder, "token"), `${mara?.token}\n`, { mode: 0o600 });
  let cwd = folder;
  /** @param {string} line */
  const step = async (line) => {
    await runLine(line, env, cwd);
    const folder = /^cd (.*)$/.exec(line)?.[1];
    if (folder !== undefined) cwd = join(cwd, folder);
  };

  say(`A sandbox is running at ${site.url}. Sign in as mara with a token from a file:`);
  await step(`tongs auth login --host ${site.url} --token-stdin < token`);
  await step("tongs auth status");
  say("Let git get the password from tongs:");
  await step("tongs auth setup-git");

  say("Create a repository, clone it over HTTP, and push a branch with a commit:");
  await step("tongs repo create tide-log --init --description 'Readings of the tide gauge'");
  await step(`git clone -q ${site.url}/mara/tide-log.git`);
  await step("cd tide-log");
  await step("git switch -q -c gauge");
  await step("echo 'High water 06:12, low water 12:25' > today.txt");
  await step('git add today.txt && git commit -q -m "Add today\'s tides"');
  await step("git push -q -u origin gauge");

  say("Create a pull request from the commit:");
  await step("tongs pr create --fill");
  await step("tongs pr list");
  await step("tongs pr view 1");

  say("Push to main in the meantime, then update and merge the pull request:");
  await step("git switch -q main");
  await step("echo 'Read at the north pier.' >> README.md && git commit -q -am 'Mention the pier' && git push -q");
  await step("tongs pr update 1 --style rebase");
  await step("tongs pr merge 1 --style rebase");
  await step("tongs pr view 1 --json number,title,state,merged,merged_by.login");
  await step("git pull -q && git log --oneline");

  if (keep) printNextSteps(site);
}

/** An environment that neither uses nor changes the user's own settings. */
function isolatedEnvironment() {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(join(top, "bin", "tongs.js"), join(bin, "tongs"));
  writeFileSync(
    join(folder, "gitconfig"),
    "[user]\n\tname = Mara Lind\n\temail = mara@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
  );
  const { PATH = "", TMPDIR, TERM, LANG, COLUMNS, NO_COLOR } = process.env;
  return {
    // The compile cache would be written to the temporary folder after each command.
    TMPDIR,
    TERM,
    LANG,
    COLUMNS,
    NO_COLOR,
    HOME: folder,
    NODE_DISABLE_COMPILE_CACHE: "1",
    PATH: bin + delimiter + PATH,
    TONGS_CONFIG_DIR: join(folder, "config"),
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
  };
}

/**
 * Starts the built sandbox, detached from Ctrl-C, and waits for its first line.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Site>}
 */
function startSandbox(env) {
  const child = start(process.execPath, [join(top, "bin", "tongs.js"), "sandbox", "--json", "--quiet", "--port", "0"], {
    env,
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", keep ? "ignore" : 2],
  });
  sandbox = child;
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))));
    });
    child.once("exit", (code) => reject(new Error(`the sandbox exited with ${code}`)));
  });
}

/**
 * Prints a command line and runs it.
 * @param {string} line
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 */
async function runLine(line, env, cwd) {
  if (signalled !== undefined) throw new Error(signalled);
  console.log(`$ ${line}`);
  const child = start("sh", ["-c", line], { env, cwd, stdio: ["ignore", 1, 2] });
  const code = await new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  if (code !== 0) throw new Error(`'${line}' exited with ${code}`);
}

/** @param {string} text */
function say(text) {
  console.log(`\n# ${text}`);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
function start(program, args, options) {
  const child = spawn(program, args, options);
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

async function cleanUp() {
  for (const child of [...children]) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exited;
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** @param {Site} site */
function printNextSteps({ url, users }) {
  sandbox?.stdout?.destroy();
  sandbox?.unref();
  say(`The sandbox is still running at ${url}. To continue as mara, run:`);
  console.log(`export PATH="${join(folder, "bin")}:$PATH" TONGS_CONFIG_DIR="${join(folder, "config")}"`);
  console.log("tongs pr list -R mara/harbor");
  say(`Users: ${users.map(({ login, password }) => `${login} (password ${password})`).join(", ")}. To stop it, run:`);
  console.log(`kill ${sandbox?.pid}; rm -r "${folder}"`);
}
