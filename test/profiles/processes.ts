import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { emptyFolder } from "../support/tongs.ts";

/** Bundles the writer as CommonJS and returns the file to run. */
export async function bundledWriter(): Promise<string> {
  const target = "node20";
  const folder = join(emptyFolder(), "bundle");
  const { outputFiles } = await build({
    ...{ entryPoints: [join(import.meta.dirname, "writer.ts")], outdir: folder, write: false },
    ...{ bundle: true, splitting: true, minify: true, format: "esm", platform: "node", target },
  });
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}');
  for (const file of outputFiles) {
    const supported = { "dynamic-import": false };
    const { code } = await transform(file.text, { format: "cjs", platform: "node", target, supported });
    writeFileSync(join(folder, basename(file.path)), code);
  }
  return join(folder, "writer.js");
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
