import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";

/** Another program to test in place of the built one, such as a standalone program; a `.js` file is run by this Node. */
export const otherProgram = process.env["TONGS_E2E_PROGRAM"];

const launcher = otherProgram ?? join(import.meta.dirname, "../../bin/tongs.js");

/** The built program: a program and its first arguments. */
export const program: readonly [string, ...string[]] = launcher.endsWith(".js")
  ? [process.execPath, launcher]
  : [launcher];

/** Whether the program under test is a standalone program, which another runtime than Node runs. */
export const isStandalone = otherProgram !== undefined && !otherProgram.endsWith(".js");

/** The same for a shell. */
export const shellProgram = program.map((word) => `"${word}"`).join(" ");

/** The environment of a run of the built program; only PATH is taken from the real environment. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Keeps stdin open. */
  readonly stdin?: "pipe";
}

/** A new directory. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "tongs-e2e-"));
}

let state: string | undefined;

/** The environment variables and the working directory of a run. */
export function surroundings(world: World): { readonly env: Record<string, string>; readonly cwd: string } {
  const cwd = world.cwd ?? emptyFolder();
  const path = dirname(process.execPath) + delimiter + (process.env["PATH"] ?? "");
  // The journal of writes must not lie in a clone that is the current directory.
  state ??= emptyFolder();
  const caches = join(state, "caches");
  mkdirSync(caches, { recursive: true });
  const own = {
    PATH: path,
    HOME: cwd,
    XDG_STATE_HOME: state,
    // Nor what is compiled.
    XDG_CACHE_HOME: join(caches, basename(cwd)),
    TONGS_CONFIG_DIR: join(cwd, "config"),
    TERM: "xterm-256color",
    // No test opens the browser of whoever runs it.
    BROWSER: "true",
  };
  return { cwd, env: { ...own, ...world.env } };
}

/** A running program without a terminal. */
export interface Started {
  readonly pid: number;
  /** The output on stdout and stderr so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits until stdout contains a text. */
  until(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Writes to stdin, which must be open; resolves when most of it was read. */
  write(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

/** Starts the built program with pipes, or a shell command in which `tongs` is the built program. */
export function startBuilt(typed: readonly string[] | string, world: World = {}): Started {
  const { env, cwd } = surroundings(world);
  const [first, ...args] =
    typeof typed === "string"
      ? ["bash", "-c", `tongs() { ${shellProgram} "$@"; }; set -o pipefail; ${typed}`]
      : [...program, ...typed];
  const child = spawn(first, args, { env, cwd, stdio: [world.stdin ?? "ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
      for (const listener of [...listeners]) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    pid: child.pid ?? 0,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!texts.stdout.includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        ended.then(() => reject(new Error(`It ended without '${text}': ${texts.stdout}${texts.stderr}`)), reject);
        look();
      }),
    kill: (signal) => child.kill(signal),
    write: (text) => new Promise((resolve) => child.stdin?.write(text, () => resolve())),
    ended,
  };
}
