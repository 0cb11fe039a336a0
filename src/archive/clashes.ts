import { quoted, someOf, UnsafeArchive } from "./archive-failure.ts";

/** Throws when a file appears twice, or stands where others have a folder. */
export function refuseClashes(files: readonly string[], folders: readonly string[]): void {
  const clashing = clashes(files, folders, (path) => path);
  if (clashing.length === 0) return;
  throw new UnsafeArchive(`The archive contradicts itself: ${someOf(clashing.map(quoted))} stand in it twice`);
}

/** Paths that are one to a file system which does not tell upper from lower case, or the forms of accents. */
export function caseCollisions(files: readonly string[], folders: readonly string[]): string[] {
  return clashes(files, folders, (path) =>
    path
      .normalize("NFC")
      .toUpperCase()
      .toLowerCase()
      .replace(/[. ]+(?=\/|$)/g, ""),
  );
}

/** The paths that meet another one under a key: a file a file, or a file a folder. */
function clashes(files: readonly string[], folders: readonly string[], key: (path: string) => string): string[] {
  const found = new Set<string>();
  const known = new Map<string, string>();
  for (const path of files) {
    const own = key(path);
    if (known.has(own)) found.add(path);
    else known.set(own, path);
  }
  const seen = new Set<string>();
  const take = (folder: string) => {
    // From the longest on: what was seen before needs no second look.
    for (let path = folder; path !== "" && !seen.has(path); path = parent(path)) {
      seen.add(path);
      if (known.has(key(path))) found.add(path);
    }
  };
  for (const path of files) take(parent(path));
  for (const path of folders) take(path);
  return [...found];
}

function parent(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}
