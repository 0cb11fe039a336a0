import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The launcher of the built program. */
export const launcher = join(import.meta.dirname, "../../bin/tongs.js");

/** The world around a run of the built program: nothing of the real environment but the path of programs. */
export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A new folder that nothing else uses. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "tongs-e2e-"));
}

/** The whole environment of a run, and the folder that it runs in. */
export function surroundings(world: World): { readonly env: Record<string, string>; readonly cwd: string } {
  const cwd = world.cwd ?? emptyFolder();
  const path = dirname(process.execPath) + delimiter + (process.env["PATH"] ?? "");
  const own = { PATH: path, HOME: cwd, TONGS_CONFIG_DIR: join(cwd, "config"), TERM: "xterm-256color" };
  return { cwd, env: { ...own, ...world.env } };
}

/** A program under way, without a terminal. */
export interface Started {
  readonly pid: number;
  /** What came on stdout and stderr so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits until stdout holds a text. */
  until(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

/** Starts the built program with pipes, or a shell line in which `tongs` is it. */
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
