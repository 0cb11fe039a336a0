import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { usualLimits } from "../../src/archive/limits.ts";
import { type Unpacking, unpackArchive } from "../../src/archive/unpack.ts";
import { quietSignal } from "../support/tongs.ts";

/** An archive unpacked in a folder of its own. */
export interface Unpacked {
  /** The folder unpacked into; its parent holds nothing else than it and the archive. */
  readonly into: string;
  readonly remarks: readonly string[];
  /** What went wrong, if anything. */
  readonly error: unknown;
}

/** Unpacks bytes; `before` may put things into the target first. */
export async function unpack(
  bytes: Buffer,
  changes: Partial<Unpacking> & { readonly before?: (into: string) => void } = {},
): Promise<Unpacked> {
  const root = mkdtempSync(join(tmpdir(), "tongs-zip-"));
  const archive = join(root, "it.zip");
  writeFileSync(archive, bytes);
  const into = join(root, "out");
  changes.before?.(into);
  const remarks: string[] = [];
  const error = await unpackArchive(archive, {
    ...{ into, staging: join(into, "it.unpacking"), limits: usualLimits, existing: "refuse", windows: false },
    signal: quietSignal(),
    onRemark: (remark) => remarks.push(remark),
    ...changes,
  }).catch((reason: unknown) => reason);
  return { into, remarks, error };
}

/** Every file below a folder with its text, folders with a slash. */
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

/** Whether a file may be run by its owner. */
export function executable(path: string): boolean {
  return (statSync(path).mode & 0o100) !== 0;
}
