import type { PullRequest } from "../../forge/pulls.ts";
import type { Repository } from "../../forge/repos.ts";
import { isBranchName } from "../../git/refs.ts";
import { pointsTo, type Remote } from "../../git/remotes.ts";
import { type GitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { cloneUrl, type Server } from "../../profiles/server.ts";
import { fullName, isSameRepo, type RepoName } from "../../repo/repo-name.ts";
import { isWellFormed } from "../../text/percent.ts";

/** Where to fetch the commits of a pull request, and what the local branch will track. */
export interface Source {
  /** What to fetch from: the name of a remote, or a URL. */
  readonly from: string;
  readonly ref: string;
  /** The remote-tracking branch to update, if there is a remote. */
  readonly tracking: string | undefined;
  /** Names for the local branch, best first; one may mean something else in the local repository. */
  readonly branches: readonly string[];
  /** `branch.NAME.remote`: the name of a remote, or a URL. */
  readonly remote: string;
  /** `branch.NAME.merge`. */
  readonly merge: string;
  /** The repository with the head branch, if it exists and the caller cannot push there. */
  readonly unpushable?: RepoName;
}

interface SourceContext {
  readonly server: Server;
  /** The git remotes on this server, best first. */
  readonly remotes: readonly Remote[];
  /** The protocol of the URL that the local branch tracks where there is no remote (default: https). */
  readonly protocol?: GitProtocol;
}

/**
 * Finds the source of a pull request:
 *
 * - Same repository: fetches and tracks the head branch.
 * - Fork with a remote: fetches and tracks the branch of that remote.
 * - Other fork: fetches `refs/pull/N/head`. The local branch tracks the fork's branch if the caller may push there, so
 *   that `git push` and `git pull` work; else `refs/pull/N/head`, which can be pulled.
 * - Deleted branch or fork, or a branch whose name git does not take: fetches and tracks `refs/pull/N/head`.
 */
export function sourceOf(pull: PullRequest, { server, remotes, protocol = "https" }: SourceContext): Source {
  const base = repoNameOf(pull.base?.repo) ?? { owner: "", name: "" };
  const head = repoNameOf(pull.head?.repo);
  const ref = pull.head?.ref ?? "";
  const pullRef = `refs/pull/${pull.number}/head`;
  const own = remoteFor(base, remotes);
  const origin = own?.name ?? cloneUrl(server, base);
  const numbered = `pr-${pull.number}`;
  const fromPullRef = { from: origin, ref: pullRef, tracking: undefined, remote: origin, merge: pullRef };

  // Servers take names that git refuses to use, such as -x.
  if (head === undefined || ref.startsWith("refs/pull/") || !isBranchName(ref)) {
    const label = pull.head?.label ?? "";
    const usable = isBranchName(label) && !isBaseOrDefault(label, pull);
    return { ...fromPullRef, branches: usable ? [label, numbered] : [numbered] };
  }
  const name = ref;
  const headRemote = isSameRepo(head, base) ? own : remoteFor(head, remotes);
  const merge = `refs/heads/${name}`;
  const ownNames = isBaseOrDefault(name, pull) && !isSameRepo(head, base) ? [] : [name];
  const branches = [...ownNames, `${head.owner}/${name}`, numbered];
  if (headRemote !== undefined) {
    const tracking = `refs/remotes/${headRemote.name}/${name}`;
    return { from: headRemote.name, ref: merge, tracking, branches, remote: headRemote.name, merge };
  }
  if (isSameRepo(head, base)) return { from: origin, ref: merge, tracking: undefined, branches, remote: origin, merge };
  if (!canPush(pull)) return { ...fromPullRef, branches, unpushable: head };
  if (!isWellFormed(head.owner + head.name)) return { ...fromPullRef, branches };
  return {
    ...fromPullRef,
    branches,
    remote: remoteUrl(server, { ...head, ssh_url: pull.head?.repo?.ssh_url }, protocol),
    merge,
  };
}

/**
 * Whether the caller can push to the fork: its owner, or a maintainer if the author allows it and the fork is readable.
 */
export function canPush({ head, base, allow_maintainer_edit }: PullRequest): boolean {
  const permissions = head?.repo?.permissions;
  if (permissions?.push === true) return true;
  return allow_maintainer_edit === true && base?.repo?.permissions?.push === true && permissions?.pull !== false;
}

/** Why the caller cannot push to the head branch of a fork, in words. */
export function noEdits({ base, allow_maintainer_edit: allowed }: PullRequest, head: RepoName): string {
  const isMaintainer = base?.repo?.permissions?.push === true;
  const why =
    isMaintainer && allowed !== true ? "its author does not let maintainers edit it" : "you may not write there";
  return `its branch is in ${fullName(head)}, and ${why}`;
}

/** Whether a fork's branch with this name would replace the base or default branch. */
function isBaseOrDefault(name: string, { base }: PullRequest): boolean {
  return name === base?.ref || name === base?.repo?.default_branch;
}

function repoNameOf(repo: Pick<Repository, "owner" | "name"> | null | undefined): RepoName | undefined {
  return repo?.owner && repo.name !== undefined ? { owner: repo.owner.login, name: repo.name } : undefined;
}

function remoteFor(repo: RepoName, remotes: readonly Remote[]): Remote | undefined {
  return remotes.find((remote) => pointsTo(remote, repo));
}
