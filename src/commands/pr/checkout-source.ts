import type { PullRequest } from "../../forge/pulls.ts";
import { branchName, isBranchName } from "../../git/refs.ts";
import type { Remote } from "../../git/remotes.ts";
import { cloneUrl, type Server } from "../../profiles/server.ts";
import type { RepoName } from "../../repo/repo-name.ts";

/** Where the commits of a pull request come from, and what its branch here will follow. */
export interface Source {
  /** What to fetch from: the name of a remote, or an address. */
  readonly from: string;
  readonly ref: string;
  /** The remote-tracking branch that the fetch updates, where there is a remote. */
  readonly tracking: string | undefined;
  /** The name of the branch here, unless another is asked for. */
  readonly branch: string;
  /** `branch.NAME.remote`: the name of a remote, or an address. */
  readonly remote: string;
  /** `branch.NAME.merge`. */
  readonly merge: string;
}

interface Place {
  readonly server: Server;
  /** The remotes here that are on the server, best first. */
  readonly remotes: readonly Remote[];
}

/**
 * Finds the source of a pull request:
 *
 * - From the same repository: its branch, which the branch here follows.
 * - From a fork that is a remote here: that remote's branch, likewise.
 * - From another fork: the server's own copy, `refs/pull/N/head`. The branch here follows the fork's branch when one
 *   may push to that, so that `git push` and `git pull` work; else the copy, which can be pulled.
 * - From a branch or fork that is gone: the copy.
 */
export function sourceOf(pull: PullRequest, { server, remotes }: Place): Source {
  const base = nameOf(pull.base?.repo) ?? { owner: "", name: "" };
  const head = nameOf(pull.head?.repo);
  const ref = pull.head?.ref ?? "";
  const copy = `refs/pull/${pull.number}/head`;
  const own = remoteFor(base, remotes);
  const origin = own?.name ?? cloneUrl(server, base);
  const fromCopy = { from: origin, ref: copy, tracking: undefined, remote: origin, merge: copy };

  if (head === undefined || ref.startsWith("refs/pull/")) {
    const label = pull.head?.label ?? "";
    const usable = isBranchName(label) && !isMain(label, pull) && !label.startsWith("refs/");
    return { ...fromCopy, branch: usable ? label : `pr-${pull.number}` };
  }
  const name = branchName(ref);
  const theirs = sameName(head, base) ? own : remoteFor(head, remotes);
  const merge = `refs/heads/${name}`;
  const branch = isMain(name, pull) && !sameName(head, base) ? `${head.owner}/${name}` : name;
  if (theirs !== undefined) {
    const tracking = `refs/remotes/${theirs.name}/${name}`;
    return { from: theirs.name, ref: merge, tracking, branch, remote: theirs.name, merge };
  }
  const address = cloneUrl(server, head);
  if (sameName(head, base)) return { from: address, ref: merge, tracking: undefined, branch, remote: address, merge };
  return { ...fromCopy, branch, ...(mayPush(pull) ? { remote: address, merge } : {}) };
}

/** Whether the caller may push to the head's fork: its owner, or a maintainer whom the author lets and who may see it. */
function mayPush({ head, base, allow_maintainer_edit }: PullRequest): boolean {
  const rights = head?.repo?.permissions;
  if (rights?.push === true) return true;
  return allow_maintainer_edit && base?.repo?.permissions?.push === true && rights?.pull !== false;
}

/** A fork's branch of this name would take the place of one that everybody has. */
function isMain(name: string, { base }: PullRequest): boolean {
  return name === base?.ref || name === base?.repo?.default_branch;
}

function nameOf(
  repo: { readonly owner: { readonly login: string } | null; readonly name: string } | null | undefined,
): RepoName | undefined {
  return repo?.owner ? { owner: repo.owner.login, name: repo.name } : undefined;
}

function remoteFor(repo: RepoName, remotes: readonly Remote[]): Remote | undefined {
  return remotes.find((remote) => sameName({ owner: remote.owner, name: remote.repo }, repo));
}

function sameName(one: RepoName, other: RepoName): boolean {
  return one.owner.toLowerCase() === other.owner.toLowerCase() && one.name.toLowerCase() === other.name.toLowerCase();
}
