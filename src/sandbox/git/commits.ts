import { timestamp } from "../http/time.ts";
import type { Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { git, gitOrUndefined, tryGit } from "./git.ts";

/** The name, email address and date of an author or committer. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** An RFC 3339 time in UTC. */
  readonly date: string;
}

/** A commit object with its verbatim message. */
export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** Reads commits by id, in the given order. */
export async function readCommits(site: Site, repo: RepoRecord, ids: readonly string[]): Promise<Commit[]> {
  if (ids.length === 0) return [];
  const { out } = await tryGit(site, repo, ["cat-file", "--batch"], { input: `${ids.join("\n")}\n` });
  const commits: Commit[] = [];
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(0x0a, at);
    const [sha = "", type = "", size = ""] = out.toString("latin1", at, end).split(" ");
    if (type !== "commit") throw new Error(`${sha} is ${type}, not a commit`);
    const after = end + 1 + Number(size);
    commits.push(parseCommit(sha, out.toString("utf8", end + 1, after)));
    at = after + 1;
  }
  return commits;
}

/** Reads a commit. Throws if it does not exist. */
export async function readCommit(site: Site, repo: RepoRecord, id: string): Promise<Commit> {
  const [commit] = await readCommits(site, repo, [id]);
  if (commit === undefined) throw new Error(`no commit ${id}`);
  return commit;
}

function parseCommit(sha: string, text: string): Commit {
  const head = text.slice(0, text.indexOf("\n\n")).split("\n");
  const all = (name: string) =>
    head.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
  const [tree = ""] = all("tree");
  const signature = (name: string) => parseSignature(all(name)[0] ?? "");
  const message = text.slice(text.indexOf("\n\n") + 2);
  return { sha, tree, parents: all("parent"), author: signature("author"), committer: signature("committer"), message };
}

function parseSignature(line: string): Signature {
  const [, name = "", email = "", seconds = "0"] = /^(.*?) ?<(.*)> (-?\d+)/.exec(line) ?? [];
  return { name, email, date: timestamp(Number(seconds) * 1000) };
}

/** The ids of commits, newest first, by arguments of `git rev-list`. */
export async function listCommits(site: Site, repo: RepoRecord, args: readonly string[]): Promise<string[]> {
  const out = await gitOrUndefined(site, repo, ["rev-list", ...args]);
  return out === undefined || out === "" ? [] : out.split("\n");
}

/** Whether a commit is an ancestor of another one or the same. */
export async function isAncestor(site: Site, repo: RepoRecord, older: string, newer: string): Promise<boolean> {
  return (await tryGit(site, repo, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

/** A file changed by a commit. */
export interface FileChange {
  readonly filename: string;
  readonly status: "added" | "modified" | "removed";
  readonly additions: number;
  readonly deletions: number;
}

const statusOf = { A: "added", D: "removed" } as const;

/** The files changed by a commit, compared with its first parent. */
export async function commitChanges(site: Site, repo: RepoRecord, id: string): Promise<FileChange[]> {
  const show = ["-r", "--root", "--no-commit-id", "--no-renames", "--raw", "--numstat", "-z", "-m", "--first-parent"];
  const parts = (await git(site, repo, ["diff-tree", ...show, id])).split("\0");
  const found = new Map<string, FileChange>();
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const raw = /^:\d+ \d+ \w+ \w+ (\w)/.exec(part);
    if (raw !== null) {
      at += 1;
      const filename = parts[at] ?? "";
      const status = raw[1] === "A" || raw[1] === "D" ? statusOf[raw[1]] : "modified";
      found.set(filename, { filename, status, additions: 0, deletions: 0 });
      continue;
    }
    const [additions = "", deletions = "", filename = ""] = part.split("\t");
    const known = found.get(filename);
    if (known) found.set(filename, { ...known, additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
  }
  return [...found.values()];
}

/** The author or committer identity of a user in commits made through the API. */
export function signatureOf(site: Pick<Site, "now">, user: UserRecord): Signature {
  const email = user.hide_email ? `${user.id}+${user.name.toLowerCase()}@noreply.localhost` : user.email;
  return { name: user.full_name || user.name, email, date: site.now() };
}
