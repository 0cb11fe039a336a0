// Walks through a day's work on a sandbox of its own: every line shown is run as shown, by a shell.
// With --keep the sandbox and the clone stay, and how to use and how to end them is said. With --built it takes dist as
// it is.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureInstalled, run, top } from "./setup.mjs";

const keep = process.argv.includes("--keep");
const children = new Set();
let folder;
let sandbox;
let signalled;

const ends = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 };
function stop(signal) {
  signalled ??= signal;
  for (const child of children) if (child !== sandbox) child.kill(signal);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
process.stdout.on("error", () => stop("SIGPIPE"));

try {
  ensureInstalled();
  if (!process.argv.includes("--built"))
    run(process.execPath, [join(top, "scripts", "build.mjs")], { stdio: ["ignore", 2, 2] });
  await walk();
} catch (error) {
  if (signalled === undefined) {
    console.error(`The demonstration failed: ${error.message}`);
    process.exitCode = 1;
  }
} finally {
  if (!keep || signalled !== undefined || process.exitCode !== undefined) await tidy();
}
process.exit(ends[signalled] ?? process.exitCode ?? 0);

async function walk() {
  folder = mkdtempSync(join(tmpdir(), "tongs-demo-"));
  const env = surroundings();
  const site = await startSandbox(env);
  const mara = site.users.find(({ login }) => login === "mara");
  writeFileSync(join(folder, "token"), `${mara.token}\n`, { mode: 0o600 });
  let cwd = folder;
  const type = async (line) => {
    await typed(line, env, cwd);
    const below = /^cd (.*)$/.exec(line)?.[1];
    if (below !== undefined) cwd = join(cwd, below);
  };

  say(`A sandbox answers at ${site.url}. Sign in as mara; her token comes from a file:`);
  await type(`tongs auth login --host ${site.url} --token-stdin < token`);
  await type("tongs auth status");
  say("git asks tongs for the password:");
  await type(
    `git config --global credential.helper '!f() { echo username=mara; echo "password=$(tongs auth token)"; }; f'`,
  );

  say("A repository, a clone over HTTP, a branch with a commit:");
  await type("tongs repo create tide-log --init --description 'What the gauge says'");
  await type(`git clone -q ${site.url}/mara/tide-log.git`);
  await type("cd tide-log");
  await type("git switch -q -c gauge");
  await type("echo 'High water 06:12, low water 12:25' > today.txt");
  await type('git add today.txt && git commit -q -m "Write down today\'s tides"');
  await type("git push -q -u origin gauge");

  say("The pull request, from the commit:");
  await type("tongs pr create --fill");
  await type("tongs pr list");
  await type("tongs pr view 1");

  say("Meanwhile main moves on; the pull request follows, and is merged:");
  await type("git switch -q main");
  await type("echo 'Read at the north pier.' >> README.md && git commit -q -am 'Say where' && git push -q");
  await type("tongs pr update 1 --style rebase");
  await type("tongs pr merge 1 --style rebase");
  await type("tongs pr view 1 --json number,title,state,merged,merged_by.login");
  await type("git pull -q && git log --oneline");

  if (keep) sayHowToGoOn(site);
}

/** Nothing of the person's own settings reaches the demonstration, and nothing of it reaches them. */
function surroundings() {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(join(top, "bin", "tongs.js"), join(bin, "tongs"));
  writeFileSync(
    join(folder, "gitconfig"),
    "[user]\n\tname = Mara Lind\n\temail = mara@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
  );
  const { PATH = "", TMPDIR, TERM, LANG, COLUMNS, NO_COLOR } = process.env;
  return {
    // Without the cache, that would be written to the folder at the end of each command.
    ...{ TMPDIR, TERM, LANG, COLUMNS, NO_COLOR, HOME: folder, NODE_DISABLE_COMPILE_CACHE: "1" },
    PATH: bin + delimiter + PATH,
    TONGS_CONFIG_DIR: join(folder, "config"),
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
  };
}

/** Starts the built sandbox, away from the keyboard's Ctrl-C, and waits for its first line. */
function startSandbox(env) {
  sandbox = start(process.execPath, [join(top, "bin", "tongs.js"), "sandbox", "--json", "--quiet", "--port", "0"], {
    env,
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", keep ? "ignore" : 2],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    sandbox.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text.split("\n")[0]));
    });
    sandbox.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
}

/** Shows a line and runs it. */
async function typed(line, env, cwd) {
  if (signalled !== undefined) throw new Error(signalled);
  console.log(`$ ${line}`);
  const child = start("sh", ["-c", line], { env, cwd, stdio: ["ignore", 1, 2] });
  const code = await new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  if (code !== 0) throw new Error(`'${line}' ended with ${code}`);
}

function say(text) {
  console.log(`\n# ${text}`);
}

function start(program, args, options) {
  const child = spawn(program, args, options);
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

async function tidy() {
  for (const child of [...children]) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

function sayHowToGoOn({ url, users }) {
  sandbox.stdout.destroy();
  sandbox.unref();
  say(`The sandbox stays up at ${url}. Go on as mara with:`);
  console.log(`export PATH="${join(folder, "bin")}:$PATH" TONGS_CONFIG_DIR="${join(folder, "config")}"`);
  console.log("tongs pr list -R mara/harbor");
  say(`Its people: ${users.map(({ login, password }) => `${login} (password ${password})`).join(", ")}. End it with:`);
  console.log(`kill ${sandbox.pid}; rm -r "${folder}"`);
}
