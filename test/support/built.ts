import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundle } from "./bundle.ts";

/** The whole program in a process of its own. */
export interface Started {
  readonly child: ChildProcess;
  /** How it ended, and what it said. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

let made: Promise<string> | undefined;

/** Starts the program in a folder. Of the environment it sees the path to programs and what is given. */
export async function startBuilt(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Started> {
  made ??= bundle();
  const around = {
    PATH: process.env["PATH"],
    HOME: cwd,
    XDG_STATE_HOME: `${cwd}.state`,
    TONGS_CONFIG_DIR: join(cwd, ".tongs-test"),
    ...env,
  };
  const child = spawn(process.execPath, [await made, ...args], {
    cwd,
    env: around,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (text) => {
      texts[name] += String(text);
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...texts }));
  return { child, ended };
}

/** Runs the program to its end. */
export async function runBuilt(
  args: readonly string[],
  world: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  return (await startBuilt(args, world)).ended;
}
