import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "./read.ts";

/**
 * Changes one of the files: under a lock that other processes respect, from what is stored now, by `conf`, which writes
 * beside it and renames. The folder is 0700 and the file 0600, whatever the umask.
 */
export async function updateFile(
  folder: string,
  name: string,
  edit: (stored: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const [{ default: Conf }, { lock }] = await Promise.all([import("conf"), import("proper-lockfile")]);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const unlock = await lock(folder, {
    lockfilePath: join(folder, ".lock"),
    stale: 10_000,
    retries: { retries: 60, factor: 1.2, minTimeout: 10, maxTimeout: 200 },
  });
  try {
    const stored = readFile(join(folder, name));
    const store = new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: name.replace(/\.json$/, ""),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      projectName: "tongs",
    });
    store.store = { ...edit(stored) };
    chmodSync(join(folder, name), 0o600);
  } finally {
    await unlock();
  }
}
