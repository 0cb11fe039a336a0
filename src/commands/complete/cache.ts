import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Offer } from "../../command/complete.ts";
import { cacheFolder } from "../../profiles/files.ts";
import { mismatch } from "../../shape/mismatch.ts";
import { list, optional, record, string } from "../../shape/shape.ts";
import { createFolders } from "../../system/files.ts";
import type { System } from "../../system/system.ts";

/** How long an answer is kept, in milliseconds. */
const kept = 20_000;

const content = list(record({ word: string, description: optional(string) }));

/**
 * Returns the answer for a key, from the cache or from `read`. The cache is one file for each key, mode 0600, in a folder
 * with mode 0700. A cache that cannot be used is no error.
 */
export async function cached(
  { env, now }: Pick<System, "env" | "now">,
  key: unknown,
  read: () => Promise<Offer[]>,
): Promise<readonly Offer[]> {
  const folder = join(cacheFolder(env), "complete");
  const file = join(folder, createHash("sha256").update(JSON.stringify(key)).digest("hex"));
  const known = readCache(file, now().getTime());
  if (known !== undefined) return known;
  const found = await read();
  writeCache(folder, file, found, now().getTime());
  return found;
}

function readCache(file: string, now: number): readonly Offer[] | undefined {
  try {
    const stats = lstatSync(file);
    const age = now - stats.mtimeMs;
    if (!stats.isFile() || age < -kept || age > kept) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return mismatch(content, value) === undefined ? (value as readonly Offer[]) : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(folder: string, file: string, offers: readonly Offer[], now: number): void {
  const part = `${file}.${randomUUID()}.part`;
  try {
    createFolders(folder, 0o700);
    removeOld(folder, now);
    writeFileSync(part, JSON.stringify(offers), { mode: 0o600, flag: "wx" });
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true });
  }
}

/** Removes what is too old to be used: titles of private repositories are not kept longer than needed. */
function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true && Math.abs(now - stats.mtimeMs) > kept) rmSync(path, { force: true });
  }
}
