import type { RepoAt } from "../site.ts";
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
export async function entryAt(at: RepoAt, commit: string, path: string): Promise<Entry | undefined> {
  if (path === "") return { name: "", path: "", sha: `${commit}^{tree}`, mode: "040000", type: "dir", size: 0 };
  const found = await listTree(at, [commit, "--", `:(top,literal)${path}`]);
  return found.find((entry) => entry.path === path);
}

/** The entries of a folder in git's order. */
export async function entriesOf(at: RepoAt, commit: string, path: string): Promise<Entry[]> {
  const entries = await listTree(at, [path === "" ? commit : `${commit}:${path}`]);
  return entries.map((entry) => (path === "" ? entry : { ...entry, path: `${path}/${entry.name}` }));
}

async function listTree(at: RepoAt, args: readonly string[]): Promise<Entry[]> {
  const { out } = await tryGit(at, ["ls-tree", "-l", "-z", ...args]);
  return [...out.toString("utf8").matchAll(/(\d+) \w+ (\w+) +(\S+)\t([^\0]+)\0/g)].map(
    ([, mode = "", sha = "", size, path = ""]) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return { name, path, sha, mode, type: typeOfMode[mode] ?? "file", size: Number(size) || 0 };
    },
  );
}

/** Reads a blob. Throws if it does not exist. */
export async function readBlob(at: RepoAt, sha: string): Promise<Buffer> {
  const { code, out, err } = await tryGit(at, ["cat-file", "blob", sha]);
  if (code !== 0) throw new Error(err);
  return out;
}

/** The last commit that changed each path of a folder, or anything below it. */
export async function lastCommits(
  at: RepoAt,
  commit: string,
  folder: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const show = ["--format=%x01%H", "--name-only", "--no-renames", "-z", "-m", "--first-parent"];
  const out = await git(at, ["log", ...show, commit, ...(folder === "" ? [] : ["--", folder])]);
  const found = new Map<string, string>();
  for (const part of out.split("\u0001").slice(1)) {
    const [id = "", ...files] = part.split(/\0\n?/);
    const names = new Set(files.flatMap((file) => [file, ...paths.filter((path) => file.startsWith(`${path}/`))]));
    for (const path of paths) if (names.has(path) && !found.has(path)) found.set(path, id);
  }
  return new Map(paths.map((path) => [path, found.get(path) ?? commit]));
}
