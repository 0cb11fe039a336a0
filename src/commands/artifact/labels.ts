import { platform } from "node:os";
import { isGitFolder, safeName } from "../../archive/safe-path.ts";
import type { Artifact } from "../../forge/artifacts.ts";

/** Bytes of a name that leave room for `.zip` and an id. */
const longest = 200;

/**
 * A file name for each artifact, by its id: their names as far as they are safe. Those that meet on some file system are
 * told apart by ids, as often as it takes until no two are the same.
 */
export function labels(artifacts: readonly Artifact[]): Map<number, string> {
  const made = artifacts.map(({ id, name }) => ({ id, label: labelOf(name) }));
  const count = new Map<string, number>();
  for (const { label } of made) count.set(labelKey(label), (count.get(labelKey(label)) ?? 0) + 1);
  const isAlone = (label: string) => count.get(labelKey(label)) === 1;
  const taken = new Set(made.filter(({ label }) => isAlone(label)).map(({ label }) => labelKey(label)));
  const unique = (label: string, id: number) => {
    if (isAlone(label)) return label;
    let own = `${label}-${id}`;
    while (taken.has(labelKey(own))) own = `${own}-${id}`;
    taken.add(labelKey(own));
    return own;
  };
  return new Map(made.map(({ id, label }) => [id, unique(label, id)]));
}

function labelOf(name: string): string {
  let label = name.replace(/[/\\:\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "_");
  while (Buffer.byteLength(label) > longest) label = [...label].slice(0, -1).join("");
  // Leading dots would hide it, or lead up; trailing ones are dropped by some systems.
  label = label.replace(/^[.\s]+/, (dots) => "_".repeat(dots.length)).replace(/[.\s]+$/, "");
  if (isGitFolder(label)) label = `_${label}`;
  return safeName(label === "" ? "artifact" : label, platform() === "win32");
}

/** What labels have in common that are one name on some file system. */
export function labelKey(label: string): string {
  return label
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
