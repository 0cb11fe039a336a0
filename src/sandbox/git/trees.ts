import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoAt } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { type Signature, signatureOf } from "./commits.ts";
import { git, gitFolder, tryGit } from "./git.ts";

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

/** A change of a path: new `content`, an existing object (`sha`), or, with neither, a deletion. */
export interface PathChange {
  readonly path: string;
  readonly content?: Buffer;
  readonly sha?: string;
  readonly mode?: string;
}

/** A commit to create. */
export interface NewCommit {
  /** Empty for a root commit. */
  readonly parents: readonly string[];
  readonly message: string;
  /** Default: the committer. */
  readonly author?: Signature;
  readonly committer: Signature;
}

/** Creates a commit on top of its first parent and returns its id. No ref is updated. */
export async function commitPaths(at: RepoAt, changes: readonly PathChange[], commit: NewCommit): Promise<string> {
  const tree = await withIndex(at, commit.parents[0], async (env) => {
    const lines: string[] = [];
    for (const change of changes) lines.push(await indexLine(at, change));
    await git(at, ["update-index", "-z", "--index-info"], { input: lines.join(""), env });
  });
  return commitTree(at, tree, commit);
}

async function indexLine(at: RepoAt, { path, content, sha, mode = "100644" }: PathChange) {
  const id = content === undefined ? sha : await git(at, ["hash-object", "-w", "--stdin"], { input: content });
  return id === undefined ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${id}\t${path}\0`;
}

/** Runs work on a temporary index read from a commit and returns the resulting tree. */
export async function withIndex(
  at: RepoAt,
  from: string | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<string> {
  // Writes run one at a time, so one file name is enough.
  const file = join(gitFolder(at), "sandbox-index");
  const env = { GIT_INDEX_FILE: file };
  await rm(file, { force: true });
  try {
    await git(at, from === undefined ? ["read-tree", "--empty"] : ["read-tree", from], { env });
    await work(env);
    return await git(at, ["write-tree"], { env });
  } finally {
    await rm(file, { force: true });
  }
}

/** Creates a commit of a tree. The message is used verbatim. */
export function commitTree(at: RepoAt, tree: string, commit: NewCommit): Promise<string> {
  const { parents, message, committer, author = committer } = commit;
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: committer.date,
  };
  return git(at, ["commit-tree", tree, ...parents.flatMap((id) => ["-p", id])], { input: message, env });
}

/** Writes an annotated tag by a user, without a ref, and returns its id. */
export function annotatedTag(
  { site, repo }: RepoAt,
  user: UserRecord,
  { name, target, message }: { readonly name: string; readonly target: string; readonly message: string },
): Promise<string> {
  const { name: who, email, date } = signatureOf(site, user);
  const seconds = Math.floor(new Date(date).getTime() / 1000);
  const input = `object ${target}\ntype commit\ntag ${name}\ntagger ${who} <${email}> ${seconds} +0000\n\n${message}\n`;
  return git({ site, repo }, ["hash-object", "-t", "tag", "-w", "--stdin"], { input });
}
