// Records the terminal pictures of the README from runs of the built program on a sandbox: npm run pictures [-- NAME…].
// --built uses dist without a new build.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { scenes } from "./pictures/scenes.mjs";
import { openScreen } from "./pictures/screen.mjs";
import { drawScreen } from "./pictures/svg.mjs";
import { ensureInstalled, run, top } from "./setup.mjs";

/** The port of the sandbox in every picture, as in the README. */
const port = 3030;
const columns = 92;
/** How long to wait for a text or for the end of a program, in milliseconds. */
const limit = 30_000;

const { values, positionals } = parseArgs({ options: { built: { type: "boolean" } }, allowPositionals: true });
ensureInstalled();
if (!values.built) run(process.execPath, [join(top, "scripts", "build.mjs")]);
const { spawn: spawnTerminal } = await import("@lydell/node-pty");
const folder = mkdtempSync(join(tmpdir(), "tongs-pictures-"));
const env = isolatedEnvironment();
/** @type {import("node:child_process").ChildProcess | undefined} */
let sandbox;
try {
  for (const [name, { title, prepare, record }] of Object.entries(scenes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const site = await startSandbox();
    const cwd = mkdtempSync(join(folder, "work-"));
    const tokens = Object.fromEntries(site.users.map(({ login, token }) => [login, token]));
    const scene = openScene(cwd, { url: site.url, tokens });
    await prepare?.(scene);
    await record(scene);
    const file = join(top, "docs", "pictures", `${name}.svg`);
    writeFileSync(file, drawScreen(scene.screen.rows, { columns, title }));
    console.log(`docs/pictures/${name}.svg`);
    await stopSandbox();
  }
} finally {
  await stopSandbox();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A terminal in a folder. `step` shows a command line and runs it; `quietly` runs one that is not shown.
 * @param {string} first
 * @param {import("./pictures/scenes.mjs").Scene["site"]} site
 */
function openScene(first, site) {
  const screen = openScreen(columns);
  let cwd = first;
  /** @type {import("./pictures/scenes.mjs").Scene & { screen: typeof screen }} */
  const scene = {
    site,
    screen,
    get cwd() {
      return cwd;
    },
    enter(name) {
      cwd = join(cwd, name);
    },
    async quietly(line, more = {}) {
      const child = spawn("bash", ["-c", line], { cwd, env: { ...env, ...more }, stdio: "ignore" });
      const code = await new Promise((resolve) => child.once("exit", resolve));
      if (code !== 0) throw new Error(`'${line}' exited with ${code}`);
    },
    /** `answers` are pairs: a text to wait for, and what is typed then. */
    async step(line, { answers = [], code = 0, more = {} } = {}) {
      screen.write(`\u001b[32m$\u001b[0m \u001b[1m${line}\u001b[0m\r\n`);
      const ended = await runOnTerminal(line, { screen, cwd, answers, env: { ...env, ...more } });
      if (ended !== code) throw new Error(`'${line}' exited with ${ended}:\n${screen.text()}`);
    },
  };
  return scene;
}

/**
 * @param {string} line
 * @param {{
 *   screen: ReturnType<typeof openScreen>,
 *   cwd: string,
 *   answers: readonly (readonly [string, string])[],
 *   env: NodeJS.ProcessEnv,
 * }} options
 * @returns {Promise<number>}
 */
function runOnTerminal(line, { screen, cwd, answers, env }) {
  const terminal = spawnTerminal("bash", ["-c", line], { cwd, env, cols: columns, rows: 200 });
  const waiting = [...answers];
  let unread = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      terminal.kill();
      reject(new Error(`'${line}' takes too long:\n${screen.text()}`));
    }, limit);
    terminal.onData((data) => {
      screen.write(data);
      unread += data;
      const [next] = waiting;
      if (next === undefined || !unread.includes(next[0])) return;
      waiting.shift();
      unread = "";
      // A prompt reads keys only after it was drawn.
      setTimeout(() => terminal.write(next[1]), 300);
    });
    terminal.onExit(({ exitCode }) => {
      clearTimeout(timer);
      resolve(exitCode);
    });
  });
}

/** An environment that neither uses nor changes the user's own settings. Dates of commits are always the same. */
function isolatedEnvironment() {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(join(top, "bin", "tongs.js"), join(bin, "tongs"));
  const config = "[user]\n\tname = Mara Lind\n\temail = mara@example.org\n[init]\n\tdefaultBranch = main\n";
  writeFileSync(join(folder, "gitconfig"), `${config}[advice]\n\tdetachedHead = false\n`);
  const date = "2026-03-02T09:00:00Z";
  return {
    HOME: folder,
    TERM: "xterm-256color",
    BROWSER: "true",
    LANG: "C.UTF-8",
    PAGER: "cat",
    NODE_DISABLE_COMPILE_CACHE: "1",
    PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    TONGS_CREDENTIAL_STORE: "file",
    TONGS_CONFIG_DIR: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    SHELL: "/bin/bash",
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    TZ: "UTC",
  };
}

/** @returns {Promise<{ url: string, users: { login: string, token: string }[] }>} */
function startSandbox() {
  const words = ["sandbox", "--json", "--quiet", "--port", String(port)];
  const child = spawn(process.execPath, [join(top, "bin", "tongs.js"), ...words], {
    env,
    cwd: folder,
    stdio: ["ignore", "pipe", 2],
  });
  sandbox = child;
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))));
    });
    child.once("exit", (code) => reject(new Error(`The sandbox exited with ${code}. Is port ${port} in use?`)));
  });
}

async function stopSandbox() {
  const child = sandbox;
  if (child === undefined || child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
  rmSync(join(folder, "config"), { recursive: true, force: true });
}
