import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OutputOptions, type Plugin, rolldown } from "rolldown";

// The scripts have no types; a name in a variable is not looked up by the compiler.
const [bundler, setup] = ["../../scripts/bundle.mjs", "../../scripts/setup.mjs"];
const { rawText } = (await import(bundler)) as { readonly rawText: Plugin };
const { nativeLibraries: external } = (await import(setup)) as { readonly nativeLibraries: string[] };

const src = join(import.meta.dirname, "..", "..", "src");

const program = `
  import { run } from "${src}/app/run.ts";
  import { aliases, table } from "${src}/commands/index.ts";
  import { openSystem } from "${src}/system/open-system.ts";
  run(process.argv.slice(2), openSystem(process), { table, aliases }).then((code) => {
    process.exitCode = code;
  });
`;

/** Bundles the program into one file, for tests that run it in its own process; returns its path. */
export async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tongs-bundle-"));
  const entry = join(folder, "program.ts");
  writeFileSync(entry, program);
  const file = join(folder, "tongs.cjs");
  await bundleFile(entry, { file, format: "cjs", codeSplitting: false });
  return file;
}

/** Bundles a module and its imports. */
export async function bundleFile(entry: string, output: OutputOptions): Promise<void> {
  const transform = { target: "node20", define: { TONGS_VERSION: '"0.0.0"' } };
  const bundled = await rolldown({ input: entry, platform: "node", cwd: src, external, transform, plugins: [rawText] });
  await bundled.write(output);
  await bundled.close();
}
