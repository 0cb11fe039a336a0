import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The launcher of the built program. */
export const launcher = join(import.meta.dirname, "../../bin/tongs.js");

/** The environment of a run of the built program; only PATH is taken from the real environment. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A new directory. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "tongs-e2e-"));
}

/** The environment variables and the working directory of a run. */
export function surroundings(world: World): { readonly env: Record<string, string>; readonly cwd: string } {
  const cwd = world.cwd ?? emptyFolder();
  const path = dirname(process.execPath) + delimiter + (process.env["PATH"] ?? "");
  const own = { PATH: path, HOME: cwd, TONGS_CONFIG_DIR: join(cwd, "config"), TERM: "xterm-256color" };
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
  readonly ended: Promise<number | null>;
}

/** Starts the built program with pipes, or a shell command in which `tongs` is the built program. */
export function startBuilt(typed: readonly string[] | string, world: World = {}): Started {
  const { env, cwd } = surroundings(world);
  const [program, args] =
    typeof typed === "string"
      ? ["bash", ["-c", `tongs() { "${process.execPath}" "${launcher}" "$@"; }; set -o pipefail; ${typed}`]]
      : [process.execPath, [launcher, ...typed]];
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
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
    ended,
  };
}
