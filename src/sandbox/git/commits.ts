import { timestamp } from "../http/time.ts";
import type { RepoAt, Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { git, gitOrUndefined, tryGit } from "./git.ts";

/** The name, email address and date (RFC 3339, UTC) of an author or committer. */
export interface Signature {
  readonly name: string;
  readonly email: string;
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

/** The fields of a commit, as `git log` prints them. */
const fields = ["H", "T", "P", "an", "ae", "at", "cn", "ce", "ct", "B"];

/** Reads commits by id, in the given order. Throws if one does not exist. */
export async function readCommits(at: RepoAt, ids: readonly string[]): Promise<Commit[]> {
  if (ids.length === 0) return [];
  const format = fields.map((field) => `%${field}`).join("%x00");
  const args = ["log", "--no-walk=unsorted", "--stdin", "-z", `--format=tformat:${format}`];
  const parts = (await git(at, args, { input: `${ids.join("\n")}\n` })).split("\0");
  const found = new Map<string, Commit>();
  for (let at = 0; at + fields.length <= parts.length; at += fields.length) {
    const [sha = "", tree = "", parents = "", ...rest] = parts.slice(at, at + fields.length);
    const [author, committer] = [signature(rest.slice(0, 3)), signature(rest.slice(3, 6))];
    found.set(sha, {
      sha,
      tree,
      parents: parents.split(" ").filter(Boolean),
      author,
      committer,
      message: rest[6] ?? "",
    });
  }
  return ids.flatMap((id) => found.get(id) ?? (ids.length === 1 ? [...found.values()] : []));
}

const signature = ([name = "", email = "", seconds]: readonly string[]): Signature => ({
  name,
  email,
  date: timestamp(Number(seconds) * 1000),
});

/** Reads a commit. Throws if it does not exist. */
export async function readCommit(at: RepoAt, id: string): Promise<Commit> {
  const [commit] = await readCommits(at, [id]);
  if (commit === undefined) throw new Error(`no commit ${id}`);
  return commit;
}

/** The ids of commits, newest first, by arguments of `git rev-list`. */
export async function listCommits(at: RepoAt, args: readonly string[]): Promise<string[]> {
  return (await gitOrUndefined(at, ["rev-list", ...args]))?.split("\n").filter(Boolean) ?? [];
}

/** Whether a commit is an ancestor of another one or the same. */
export async function isAncestor(at: RepoAt, older: string, newer: string): Promise<boolean> {
  return (await tryGit(at, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

/** The author or committer identity of a user in commits made through the API. */
export function signatureOf(site: Pick<Site, "now">, user: UserRecord): Signature {
  const email = user.hide_email ? `${user.id}+${user.name.toLowerCase()}@noreply.localhost` : user.email;
  return { name: user.full_name || user.name, email, date: site.now() };
}
