import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoAt } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { type Signature, signatureOf } from "./commits.ts";
import { git, gitFolder } from "./git.ts";

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
  readonly author: Signature;
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
  const { parents, message, author, committer } = commit;
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
