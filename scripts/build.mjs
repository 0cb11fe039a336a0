// Builds dist: CommonJS in several files, each loaded when it is first needed.
//
// esbuild splits only ES modules, and CommonJS starts faster (no facade over node:http, no second loader). So it runs
// twice: once to bundle and split, once over each piece to turn it into CommonJS with lazy `require`.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, run, top } from "./setup.mjs";

ensureInstalled();
const { build, transform } = await import("esbuild");
const dist = join(top, "dist");
const target = "node20";
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

const bundled = await build({
  absWorkingDir: top,
  entryPoints: { main: "src/main.ts", help: "src/command/write-help.ts" },
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
  banner: {},
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
  writeFileSync(file.path, code.replace(/require\("node:/g, 'require("node:'));
}
writeFileSync(join(dist, "meta.json"), JSON.stringify(bundled.metafile));
chmodSync(join(top, "bin", "tongs.js"), 0o755);
run(process.execPath, [join(dist, "help.js"), join(dist, "help")]);
