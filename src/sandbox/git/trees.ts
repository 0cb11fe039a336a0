import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { git, tryGit } from "./git.ts";

/** A tree entry. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly sha: string;
  readonly mode: string;
  readonly type: "file" | "dir" | "symlink" | "submodule";
  readonly size: number;
}

const typeOfMode: Readonly<Record<string, Entry["type"]>> = {
  "040000": "dir",
  "120000": "symlink",
  "160000": "submodule",
};

/** The tree entry at a path of a commit. The empty path is the root. */
export async function entryAt(site: Site, repo: RepoRecord, commit: string, path: string): Promise<Entry | undefined> {
  if (path === "") return { name: "", path: "", sha: `${commit}^{tree}`, mode: "040000", type: "dir", size: 0 };
  const { code, out } = await tryGit(site, repo, ["ls-tree", "-l", "-z", commit, "--", `:(top,literal)${path}`]);
  return code === 0 ? parseEntries(out).find((entry) => entry.path === path) : undefined;
}

/** The entries of a folder in git's order. */
export async function entriesOf(site: Site, repo: RepoRecord, commit: string, path: string): Promise<Entry[]> {
  const { code, out } = await tryGit(site, repo, ["ls-tree", "-l", "-z", path === "" ? commit : `${commit}:${path}`]);
  if (code !== 0) return [];
  return parseEntries(out).map((entry) => (path === "" ? entry : { ...entry, path: `${path}/${entry.name}` }));
}

function parseEntries(out: Buffer): Entry[] {
  return out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode = "", sha = "", size = "", path = ""] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      if (path === "") return [];
      const name = path.slice(path.lastIndexOf("/") + 1);
      return [{ name, path, sha, mode, type: typeOfMode[mode] ?? ("file" as const), size: Number(size) || 0 }];
    });
}

/** Reads a blob. Throws if it does not exist. */
export async function readBlob(site: Site, repo: RepoRecord, sha: string): Promise<Buffer> {
  const { code, out, err } = await tryGit(site, repo, ["cat-file", "blob", sha]);
  if (code !== 0) throw new Error(err);
  return out;
}

/** The last commit that changed each path or anything below it. */
export async function lastCommits(
  site: Site,
  repo: RepoRecord,
  commit: string,
  folder: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const scope = folder === "" ? [] : ["--", folder];
  const args = [
    "log",
    "--format=%x01%H",
    "--name-only",
    "--no-renames",
    "-z",
    "-m",
    "--first-parent",
    commit,
    ...scope,
  ];
  const wanted = new Set(paths);
  const found = new Map<string, string>();
  for (const part of (await git(site, repo, args)).split("\u0001")) {
    const [id = "", ...files] = part.split(/\0\n?/);
    for (const file of files) {
      for (const path of ancestry(file)) if (wanted.has(path) && !found.has(path)) found.set(path, id);
    }
    if (found.size === wanted.size) break;
  }
  for (const path of paths) if (!found.has(path)) found.set(path, commit);
  return found;
}

/** A path and its parent folders. */
function ancestry(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
}
