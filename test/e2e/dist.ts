import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "./built.ts";

const top = join(import.meta.dirname, "..", "..");

/** The directory that `npm run build` writes. */
export const dist = join(top, "dist");

/** The result of a run of the built program. */
export interface Built {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program. Node loads `require` first; `started` receives the process id. */
export function built(
  argv: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly require?: string;
    readonly started?: (pid: number) => void;
  } = {},
): Promise<Built> {
  if (!existsSync(join(dist, "main.js"))) throw new Error("There is no dist: run npm run build before.");
  const before = options.require === undefined ? [] : ["--require", options.require];
  return new Promise((resolve, reject) => {
    const own = [process.execPath, ...before, join(top, "bin", "tongs.js")] as const;
    const [first, ...words] = before.length === 0 ? program : own;
    const child = spawn(first, [...words, ...argv], {
      env: { PATH: process.env["PATH"] ?? "", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", reject);
    child.on("spawn", () => options.started?.(child.pid ?? 0));
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(errors).toString() }),
    );
  });
}
