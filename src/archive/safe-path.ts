/** Names that Windows keeps for devices, with any extension, in any case. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|\s*$)/i;
/** The names of tongs' own scratch folders, which an archive cannot bring along. */
export const scratchName = /^\.tongs-[a-z0-9]{6}$/i;
/** The longest name of a file on the usual file systems, in bytes. */
const longestName = 255;

/** Characters that macOS drops from names when it looks for a file. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git`, or the short name that Windows gives it, however the system it is written to may read it. */
const gitFolder = /^(\.git|git~1)[. ]*(:.*)?$/is;

/** Whether some system takes a name for `.git`, whose settings can make git run programs. */
export function isGitFolder(name: string): boolean {
  return gitFolder.test(name.replace(ignored, ""));
}

/** The longest path, in bytes and in parts. */
const longestPath = 4096;
const mostParts = 255;

/** Whether a name from an archive is a longer path than any that is unpacked. */
export function isOverlong(name: string): boolean {
  if (name.length > longestPath || Buffer.byteLength(name) > longestPath) return true;
  return name.split(/[/\\]/, mostParts + 2).length > mostParts + (/[/\\]$/.test(name) ? 1 : 0);
}

/** A path that stays below its folder, or why there is none. */
export type SafePath = { readonly path: string; readonly renamed: boolean } | { readonly refused: string };

/**
 * The path that a name from an archive is written to. Backslashes are separators, as Windows tools write and read them.
 * Names that lead elsewhere or into `.git` are refused; on Windows device names and what it cannot keep get an underscore.
 */
export function safePath(name: string, windows: boolean): SafePath {
  if (name.includes("\0")) return { refused: "NUL in its name" };
  const slashed = name.replaceAll("\\", "/");
  if (/^[A-Za-z]:/.test(slashed)) return { refused: "a drive letter" };
  if (slashed.startsWith("/")) return { refused: "an absolute path" };
  const parts = slashed.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.some((part) => /^\s*\.\.[\s.]*$/.test(part))) return { refused: "it leads out of the folder" };
  if (parts.some(isGitFolder)) return { refused: "what is in .git can make git run programs" };
  if (parts.some((part) => Buffer.byteLength(part) > longestName)) return { refused: "a name that is too long" };
  const safe = parts.map((part) => safeName(part, windows));
  // A backslash is worth a word where it could have been a part of the name.
  return { path: safe.join("/"), renamed: safe.some((part, at) => part !== parts[at]) || slashed !== name };
}

/** One name that is no scratch folder's; on Windows also no device, and without what it drops or refuses. */
export function safeName(name: string, windows: boolean): string {
  const free = name.replace(scratchName, "$&_");
  if (!windows) return free;
  return free
    .replace(device, "$1_")
    .replace(/[<>:"|?*\u0001-\u001f]/g, "_")
    .replace(/[. ]$/, "_");
}

/** The path of the folder that holds a path, both with slashes and relative; empty at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
