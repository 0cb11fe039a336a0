// Builds dist: CommonJS in few files, each loaded when it is first needed.
//
//   main.js       what every start needs; it loads the rest
//   run.js        the command table
//   core.js       what every command needs; server.js what all do that have to do with servers
//   common*.js    what many commands need, without and with servers; all-NOUN.js what many of one noun's do; a module's own work is done on loading
//   NOUN-VERB.js  one for each command; chunk-*.js is what a few of them share
//   npm-*.js      the libraries that are loaded only when they are needed
//   help/*.txt    help that needs no command to be loaded
//
// Opening a file costs a start more than its content does, and so does Node's ES module loader; esbuild alone makes
// either one file, or many small ones, and splits ES modules only. Hence the grouping, and a last pass to CommonJS.
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFiles, bundleToRun } from "./bundle.mjs";
import { ensureInstalled, top } from "./setup.mjs";

ensureInstalled();
const dist = join(top, "dist");
const files = await bundleFiles(top);
const { helpTexts, table } = await bundleToRun(top, "src/command/docs.ts");
const help = Object.entries(await helpTexts(table));

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "help"), { recursive: true });
for (const [name, text] of files) writeFileSync(join(dist, name), text);
for (const [name, text] of help) writeFileSync(join(dist, "help", `${name}.txt`), text);
// jq's WebAssembly, which its loader looks for beside itself.
copyFileSync(join(top, "node_modules", "jq-web", "jq.wasm"), join(dist, "jq.wasm"));
chmodSync(join(top, "bin", "tongs.js"), 0o755);
