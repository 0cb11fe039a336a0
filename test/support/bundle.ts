import { join } from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import { bundleProgram, rawText } from "../../scripts/bundle.mjs";
import { nativeLibraries as external } from "../../scripts/setup.mjs";
import { shared } from "./shared.ts";

const src = join(import.meta.dirname, "..", "..", "src");

/** Bundles the program as the build does, for tests that run it in its own process; returns the path of its main file. */
export async function bundle(): Promise<string> {
  return join(await shared("program", bundleProgram), "main.js");
}

/** Bundles a module and its imports. */
export async function bundleFile(entry: string, output: OutputOptions): Promise<void> {
  const transform = { target: "node20", define: { TONGS_VERSION: '"0.0.0"' } };
  const bundled = await rolldown({ input: entry, platform: "node", cwd: src, external, transform, plugins: [rawText] });
  await bundled.write(output);
  await bundled.close();
}
