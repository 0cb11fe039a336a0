import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFile } from "../support/bundle.ts";
import { emptyFolder } from "../support/tongs.ts";

/** Bundles the writer as CommonJS and returns the file to run. */
export async function bundledWriter(): Promise<string> {
  const dir = join(emptyFolder(), "bundle");
  await bundleFile(join(import.meta.dirname, "writer.ts"), { dir, format: "cjs", minify: true });
  writeFileSync(join(dir, "package.json"), '{"type":"commonjs"}');
  return join(dir, "writer.js");
}

/** A writer process. */
export interface Writing {
  readonly child: ChildProcess;
  /** The number of writes it reported. */
  done(): number;
  readonly errors: () => string;
  /** Its exit code or signal. */
  readonly ended: Promise<number | string | null>;
}

/** Starts a writer process. */
export function startWriter(script: string, args: readonly string[]): Writing {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(signal ?? code)),
  );
  return { child, done: () => out.length, errors: () => err, ended };
}
