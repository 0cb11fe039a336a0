import { platform } from "node:os";
import { isGitFolder, safeName } from "../archive/safe-path.ts";

/** The longest name in bytes, which leaves room for `.zip` and an ID. */
const maxLength = 200;

/** What gets a file name: an artifact or an asset of a release. */
interface Named {
  readonly id: number;
  readonly name: string;
}

/**
 * A file name for each item, by ID: its name, made safe. If names are the same on some file system, the ID is added,
 * repeatedly if needed.
 */
export function fileNames(items: readonly Named[]): Map<number, string> {
  const names = items.map(({ id, name }) => ({ id, name: safeFileName(name) }));
  const count = new Map<string, number>();
  for (const { name } of names) count.set(fileNameKey(name), (count.get(fileNameKey(name)) ?? 0) + 1);
  const isUnique = (name: string) => count.get(fileNameKey(name)) === 1;
  const taken = new Set(names.filter(({ name }) => isUnique(name)).map(({ name }) => fileNameKey(name)));
  const uniqueName = (name: string, id: number) => {
    if (isUnique(name)) return name;
    let own = `${name}-${id}`;
    while (taken.has(fileNameKey(own))) own = `${own}-${id}`;
    taken.add(fileNameKey(own));
    return own;
  };
  return new Map(names.map(({ id, name }) => [id, uniqueName(name, id)]));
}

function safeFileName(name: string): string {
  let safe = name.replace(/[/\\:\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "_");
  while (Buffer.byteLength(safe) > maxLength) safe = [...safe].slice(0, -1).join("");
  // Leading dots hide a file or mean a parent folder; some systems drop trailing ones.
  safe = safe.replace(/^[.\s]+/, (dots) => "_".repeat(dots.length)).replace(/[.\s]+$/, "");
  if (isGitFolder(safe)) safe = `_${safe}`;
  return safeName(safe === "" ? "artifact" : safe, platform() === "win32");
}

/** A key that is equal for names that are the same on some file system. */
export function fileNameKey(name: string): string {
  return name
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
