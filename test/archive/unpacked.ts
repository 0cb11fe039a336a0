import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { defaultLimits } from "../../src/archive/limits.ts";
import { type UnpackOptions, unpackArchive } from "../../src/archive/unpack.ts";
import { quietSignal } from "../support/tongs.ts";

/** The result of unpacking an archive into a new folder. */
export interface Unpacked {
  /** The target folder. Its parent contains only this folder and the archive. */
  readonly into: string;
  readonly warnings: readonly string[];
  /** The error, if any. */
  readonly error: unknown;
}

/** Unpacks an archive in memory. `before` can prepare the target. */
export async function unpack(
  bytes: Buffer,
  changes: Partial<UnpackOptions> & { readonly before?: (into: string) => void } = {},
): Promise<Unpacked> {
  const root = mkdtempSync(join(tmpdir(), "tongs-zip-"));
  const archive = join(root, "it.zip");
  writeFileSync(archive, bytes);
  const into = join(root, "out");
  changes.before?.(into);
  const warnings: string[] = [];
  const error = await unpackArchive(archive, {
    into,
    staging: join(into, "it.unpacking"),
    limits: defaultLimits,
    onExisting: "refuse",
    windows: false,
    signal: quietSignal(),
    onWarning: (warning) => warnings.push(warning),
    ...changes,
  }).catch((reason: unknown) => reason);
  return { into, warnings, error };
}

/** The files below a folder with their contents; folders end in a slash. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name);
    const name = relative(folder, path);
    if (item.isDirectory()) found[`${name}/`] = "";
    else if (item.isSymbolicLink()) found[name] = "(link)";
    else found[name] = readFileSync(path, "latin1");
  }
  return found;
}

/** Whether a file is executable by its owner. */
export function executable(path: string): boolean {
  return (statSync(path).mode & 0o100) !== 0;
}
