import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../../failure/failure.ts";
import { type Lock, lock } from "../../../system/lock.ts";

/**
 * Holds files for this process alone until it ends or releases them, whatever path leads to them. Throws a `Failure`
 * when another import holds one.
 */
export async function holdFiles(paths: readonly string[]): Promise<Lock> {
  const held: Lock[] = [];
  const release = () => {
    for (const one of held) one.release();
  };
  for (const [real, path] of new Map(paths.map((one) => [realPath(one), one]))) {
    const one = await lock(`user import ${real}`);
    if (one === undefined) {
      release();
      const hint = "Wait until it has ended; one that was stopped with Ctrl-Z goes on with: fg";
      throw new Failure("in_use", "failure", `Another import is using ${path}`, { hint });
    }
    held.push(one);
  }
  return { release };
}

/** The path without links, also of a file that does not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}
