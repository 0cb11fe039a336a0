// Installs the packages of the lock file, unless they are installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top directory of the checkout. */
export const top = dirname(dirname(fileURLToPath(import.meta.url)));

/** Optional dependencies with native parts, which are not bundled: they are loaded from node_modules, if they are there. */
export const nativeLibraries = ["@napi-rs/keyring"];

/**
 * Runs a program and exits if it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, {
    cwd: top,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
  return result;
}

/** Runs `npm ci`, unless the packages were installed from the same lock file. */
export function ensureInstalled() {
  const lock = readFileSync(join(top, "package-lock.json"), "utf8");
  const stamp = join(top, "node_modules", ".tongs-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["ci", "--ignore-scripts", ...quiet], { stdio: ["ignore", 2, 2] });
  writeFileSync(stamp, lock);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
