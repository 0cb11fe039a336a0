/** Names that Windows reserves for devices, with any extension, in any case. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(\.|$))/i;
/** The names of scratch folders of tongs, which an archive must not contain. */
export const scratchName = /^\.tongs-[a-z0-9]{6}$/i;
/** The longest file name on common file systems, in bytes. */
const maxName = 255;

/** Characters that macOS ignores when it looks up a file name. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git` and its short name on Windows, with what Windows ignores after them. */
const gitFolder = /^(\.git|git~1)[. ]*(:.*)?$/is;

/** Whether a name is `.git` on some system. A config file in `.git` can make git run programs. */
export function isGitFolder(name: string): boolean {
  return gitFolder.test(name.replace(ignored, ""));
}

/** The longest path that is unpacked, in bytes and in parts. */
const maxPath = 4096;
const maxParts = 255;

/** Whether a name from an archive is too long a path. */
export function isOverlong(name: string): boolean {
  if (name.length > maxPath || Buffer.byteLength(name) > maxPath) return true;
  return name.split(/[/\\]/, maxParts + 2).length > maxParts + (/[/\\]$/.test(name) ? 1 : 0);
}

/** A path that stays inside its folder, or the reason why the name is refused. */
export type SafePath = { readonly path: string; readonly renamed: boolean } | { readonly refused: string };

/**
 * Turns a name from an archive into the path to write. Backslashes are separators, as in Windows tools; but in paths
 * from git they are part of a name, and are refused on Windows. Refuses names that lead outside the folder or into
 * `.git`. On Windows, device names and characters that are not allowed get an underscore.
 */
export function safePath(name: string, windows: boolean, from: "archive" | "git" = "archive"): SafePath {
  if (name.includes("\0")) return { refused: "a NUL in the name" };
  if (from === "git" && windows && name.includes("\\")) return { refused: "a backslash in the name" };
  const slashed = from === "git" ? name : name.replaceAll("\\", "/");
  if (/^[A-Za-z]:/.test(slashed) && (windows || slashed[2] === "/")) return { refused: "a drive letter" };
  if (slashed.startsWith("/")) return { refused: "an absolute path" };
  const parts = slashed.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.some((part) => /^\s*\.\.[\s.]*$/.test(part))) return { refused: "outside the directory" };
  if (parts.some(isGitFolder)) return { refused: "refusing to write into .git (its config can run programs)" };
  if (parts.some((part) => Buffer.byteLength(part) > maxName)) return { refused: "a file name that is too long" };
  const safe = parts.map((part) => safeName(part, windows));
  // A backslash counts as renamed, because it may have been part of the name.
  return { path: safe.join("/"), renamed: safe.some((part, at) => part !== parts[at]) || slashed !== name };
}

/** Changes a file name that is reserved for scratch folders or, on Windows, for devices, or that Windows does not allow. */
export function safeName(name: string, windows: boolean): string {
  const changed = name.replace(scratchName, "$&_");
  if (!windows) return changed;
  return changed
    .replace(deviceName, "$1_")
    .replace(/[<>:"|?*\u0001-\u001f]/g, "_")
    .replace(/[. ]$/, "_");
}

/**
 * The parts of bare repositories among the paths of files: `objects`, or what says where those are, beside a HEAD. Their
 * config can make git run programs.
 */
export function bareParts(paths: readonly string[]): string[] {
  const inAnyCase = paths.map((path) => path.toLowerCase());
  const heads = new Set(inAnyCase.filter((path) => /(^|\/)head$/.test(path)).map(parentOf));
  if (heads.size === 0) return [];
  return paths.filter((_, at) =>
    [...(inAnyCase[at] ?? "").matchAll(/(?<=^|\/)(objects|commondir)(?=\/|$)/g)].some(({ index, input }) =>
      heads.has(input.slice(0, Math.max(0, index - 1))),
    ),
  );
}

/** The parent folder of a relative path with slashes; an empty string at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
