import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { emptyFolder } from "../../support/tongs.ts";

/** Bundles the program in the two steps of the real build, for tests that kill it, and returns the file to run. */
export async function bundledTongs(): Promise<string> {
  const target = "node20";
  const folder = join(emptyFolder(), "bundle");
  const main = join(import.meta.dirname, "..", "..", "..", "src", "main.ts");
  const { outputFiles } = await build({
    ...{ entryPoints: [main], outdir: folder, write: false, define: { TONGS_VERSION: '"test"' } },
    ...{ bundle: true, splitting: true, minify: true, format: "esm", platform: "node", target, logLevel: "error" },
  });
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}');
  for (const file of outputFiles) {
    const supported = { "dynamic-import": false };
    const { code } = await transform(file.text, { format: "cjs", platform: "node", target, supported });
    writeFileSync(join(folder, basename(file.path)), code);
  }
  return join(folder, "main.js");
}
