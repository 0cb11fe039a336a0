// Runs a command line from the sources, and again after each change of them: npm run dev -- pr list
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, top } from "./setup.mjs";

ensureInstalled();
const { programOptions } = await import("./bundle.mjs");
const { watch } = await import("rolldown");
mkdirSync(join(top, "node_modules", ".cache"), { recursive: true });
// Below the top directory, where the program finds its package. Without help texts: help is made from the sources.
const folder = mkdtempSync(join(top, "node_modules", ".cache", "dev-"));
mkdirSync(join(folder, "workers"));
copyFileSync(join(top, "node_modules", "jq-web", "jq.wasm"), join(folder, "workers", "jq.wasm"));

/** @type {import("node:child_process").ChildProcess | undefined} */
let running;
const watcher = watch(programOptions(folder));
watcher.on("event", async (event) => {
  if (event.code === "ERROR") console.error(event.error.message);
  if (event.code === "ERROR" || event.code === "BUNDLE_END") await event.result.close();
  if (event.code !== "END") return;
  running?.kill();
  const argv = ["--enable-source-maps", join(folder, "main.js"), ...process.argv.slice(2)];
  const child = spawn(process.execPath, argv, { stdio: "inherit" });
  running = child;
  child.on("close", (code, signal) => {
    if (running === child) console.error(`Exit code ${code ?? signal}. Waiting for changes in src`);
  });
});

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, async () => {
    running?.kill(signal);
    // A build may still be writing.
    await watcher.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.exit();
  });
}
