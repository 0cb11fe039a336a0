// Installs what the lock file names, if that has not been done for this very lock file yet.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the checkout. */
export const top = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program and ends this one when it fails. */
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

/** `npm ci`, unless the installed tree was made from this lock file. */
export function ensureInstalled() {
  const lock = readFileSync(join(top, "package-lock.json"), "utf8");
  const stamp = join(top, "node_modules", ".tongs-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["ci", "--ignore-scripts", ...quiet], { stdio: ["ignore", 2, 2] });
  writeFileSync(stamp, lock);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
