import { setMaxListeners } from "node:events";
import { fstatSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Interruption } from "./command/interruption.ts";
import type { System } from "./context.ts";
import { build, version } from "./version.ts";

/** A stream of the process, made when it is asked for: that takes longer than all else `tongs --version` does. */
function open(name: "stdout" | "stderr"): NodeJS.WriteStream {
  const stream = process[name];
  if (stream.listenerCount("error") === 0) {
    // A reader that has seen enough (`| head`) is no failure.
    stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  }
  return stream;
}

let interruption: AbortSignal | undefined;

/** Aborts on the first Ctrl-C or SIGTERM. A second one means it: the process leaves at once. */
function listen(): AbortSignal {
  const stop = new AbortController();
  // Each request and wait under way listens; Node would take more than ten of them for a leak and say so.
  setMaxListeners(0, stop.signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 143);
      stop.abort(new Interruption(signal));
    });
  }
  return stop.signal;
}

const system: System = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return open("stdout");
  },
  get stderr() {
    return open("stderr");
  },
  get signal() {
    interruption ??= listen();
    return interruption;
  },
  env: process.env,
  get cwd() {
    return process.cwd();
  },
  now: () => new Date(),
  random: Math.random,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Help that was made at build time, so that showing it loads nothing. */
function builtHelp(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "help", `${name}.txt`), "utf8");
  } catch {
    return undefined;
  }
}

/** What is asked for most by far while nothing is asked of a server. */
function atHand(argv: readonly string[]): string | undefined {
  if (argv.length > 1) return undefined;
  if (argv[0] === "--version") return `tongs ${version}\n`;
  return argv[0] === undefined || argv[0] === "--help" || argv[0] === "-h" ? builtHelp("root") : undefined;
}

/** Writes to stdout past the stream, where it is no terminal; false when nothing was written. */
function written(text: string): boolean {
  try {
    const stdout = fstatSync(1);
    // The null device is a character device, too, as terminals are: the first of the memory's.
    const maybeTerminal = stdout.isCharacterDevice() && stdout.rdev >> 8 !== 1;
    if (maybeTerminal || process.platform === "win32") return false;
    const bytes = Buffer.from(text);
    const rest = bytes.subarray(writeSync(1, bytes));
    if (rest.length > 0) open("stdout").write(rest);
    return true;
  } catch {
    return false;
  }
}

/** Where what V8 made of the program is kept: in `XDG_CACHE_HOME`, or in `.cache` at home; nowhere else. */
function cache({ XDG_CACHE_HOME: xdg, HOME: home, NODE_DISABLE_COMPILE_CACHE: off }: NodeJS.ProcessEnv) {
  const folder = xdg?.startsWith("/") ? xdg : home?.startsWith("/") ? join(home, ".cache") : undefined;
  if (folder === undefined || off !== undefined) return undefined;
  const place = join(folder, "tongs", `${process.version}-${process.arch}`, build);
  return { place, user: process.getuid?.(), process: process.pid };
}

async function start(argv: readonly string[]): Promise<void> {
  const { fileLoader } = await import("./loader.ts");
  const kept = cache(process.env);
  const { load, keep } = fileLoader(__dirname, {
    ...{ require, loaded: { "main.js": { exports: require(__filename) as unknown } } },
    ...(kept === undefined ? {} : { cache: kept }),
  });
  process.on("exit", keep);
  const { default: modules } = load("run.js") as { default: { "command/run": typeof import("./command/run.ts") } };
  process.exitCode = await modules["command/run"].run(argv, system, builtHelp);
}

const argv = process.argv.slice(2);
const text = atHand(argv);
if (text === undefined || !written(text)) void start(argv);
