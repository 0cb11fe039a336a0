import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../system/base-folders.ts";
import { createFolders, isPrivate } from "../system/files.ts";
import type { System } from "../system/system.ts";

/**
 * Texts that can be read from a server again, in files of one folder. A cache that cannot be read or written is no error: the
 * next command asks the server.
 */
export interface Cache {
  /** The text of a file that is not too old. */
  read(name: string): string | undefined;
  /** Keeps a text, in place of an earlier one, and removes files that are too old. */
  write(name: string, text: string): void;
  forget(name: string): void;
  /** The names of all files. */
  names(): string[];
}

/**
 * Opens the folder `area` of the cache, which has mode 0700, as its files have 0600. A file is used for `kept` milliseconds;
 * nothing is read from a folder that others can write to.
 */
export function openCache({ env, now }: Pick<System, "env" | "now">, area: string, kept: number): Cache {
  const folder = join(cacheFolder(env), area);
  const isFresh = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && Math.abs(now().getTime() - found.mtimeMs) <= kept;
  };
  const names = () => (isPrivate(folder) ? readdirSync(folder) : []);
  return {
    names,
    read(name) {
      const path = join(folder, name);
      return quietly(() => (isPrivate(folder) && isFresh(path) ? readFileSync(path, "utf8") : undefined));
    },
    write(name, text) {
      const part = join(folder, `${name}.${randomUUID()}.part`);
      quietly(() => {
        createFolders(join(folder, ".."), 0o700);
        if (statSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
        for (const old of names()) if (!isFresh(join(folder, old))) rmSync(join(folder, old), { force: true });
        if (!isPrivate(folder)) return;
        writeFileSync(part, text, { mode: 0o600, flag: "wx" });
        renameSync(part, join(folder, name));
      });
      quietly(() => rmSync(part, { force: true }));
    },
    forget: (name) => quietly(() => rmSync(join(folder, name), { force: true })),
  };
}

/** The name of the file for a key. */
export function cacheName(key: unknown): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("hex");
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
