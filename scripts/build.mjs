// Builds dist: CommonJS in several files, each loaded when it is first needed.
//
// esbuild splits only ES modules, and CommonJS starts faster (no facade over node:http, no second loader). So it runs
// twice: once to bundle and split, once over each piece to turn it into CommonJS with lazy `require`.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ensureInstalled, top } from "./setup.mjs";

ensureInstalled();
const { build, transform } = await import("esbuild");
const dist = join(top, "dist");
const target = "node20";
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

const bundled = await build({
  absWorkingDir: top,
  entryPoints: { main: "src/main.ts", docs: "src/command/docs.ts" },
  outdir: dist,
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: false,
  format: "esm",
  platform: "node",
  target,
  write: false,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  define: { TONGS_VERSION: JSON.stringify(version) },
});

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
for (const file of bundled.outputFiles) {
  const { code } = await transform(file.text, {
    format: "cjs",
    platform: "node",
    target,
    minify: true,
    supported: { "dynamic-import": false },
  });
  writeFileSync(file.path, code);
}
writeFileSync(join(dist, "meta.json"), JSON.stringify(bundled.metafile));
chmodSync(join(top, "bin", "tongs.js"), 0o755);

const require = createRequire(import.meta.url);
const { helpTexts, table } = require(join(dist, "docs.js"));
mkdirSync(join(dist, "help"));
for (const [name, text] of Object.entries(await helpTexts(table)))
  writeFileSync(join(dist, "help", `${name}.txt`), text);
