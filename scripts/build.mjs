// Builds dist: the program (see bundle.mjs), help texts that are printed without loading a command, and the licenses of
// libraries.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, top } from "./setup.mjs";

ensureInstalled();
const { bundleProgram, loadSources } = await import("./bundle.mjs");
const { thirdPartyNotices } = await import("./notices.mjs");
const dist = join(top, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "help"), { recursive: true });
const modules = await bundleProgram(dist);
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(modules));

const folder = mkdtempSync(join(dist, "sources-"));
const { helpTexts, table } = await loadSources(["src/commands/index.ts", "src/command/write-help.ts"], folder);
const help = Object.entries(await helpTexts(table));
for (const [name, text] of help) writeFileSync(join(dist, "help", `${name}.txt`), text);
rmSync(folder, { recursive: true });

// The WebAssembly of jq, which its loader reads from its own directory.
copyFileSync(join(top, "node_modules", "jq-web", "jq.wasm"), join(dist, "workers", "jq.wasm"));
chmodSync(join(top, "bin", "tongs.js"), 0o755);
