import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { currentUser, remotesOnServer } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { parentOf, repoGet } from "../../forge/repos.ts";
import { branchSettings, hasRef, pushesToUpstream, remoteWithBranch } from "../../git/refs.ts";
import { pointsTo, type Remote } from "../../git/remotes.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { fullName, isSameRepo, type RepoName, repositoryOfUrl } from "../../repo/repo-name.ts";
import { noBranchError, pullOfRef, requireCommits } from "./find.ts";

/** The head branch of a new pull request. */
export interface PullHead {
  /** The name that the API takes: `branch`, `owner:branch` or `owner/repo:branch`. */
  readonly label: string;
  /** Its name on the server. */
  readonly branch: string;
  /** Its repository, as far as the git remotes tell. */
  readonly repo: RepoName;
  /** The local branch. */
  readonly local: string | undefined;
  /** The remote to push to; its name is a URL where git has no name for it. */
  readonly remote: Remote | undefined;
  /** The pull request that the local branch was checked out from, if it follows that. */
  readonly follows?: number | undefined;
}

type HeadContext = RepositoryContext & Pick<BaseContext, "git" | "profiles">;

/**
 * The head branch from --head, or the current branch with the name and repository that it is pushed to. Without a remote
 * and an owner, it is in the selected repository, which can be a fork of the base repository.
 */
export async function resolveHead(
  context: HeadContext,
  typed: string | undefined,
  { base, selected }: { readonly base: string; readonly selected: RepoName },
): Promise<PullHead> {
  const head =
    typed === undefined ? await currentBranchHead(context, base, selected) : await namedHead(context, typed, selected);
  if (head.branch === base && isSameRepo(head.repo, context.repo)) {
    const hint = "Create a branch (git switch -c NAME), or choose another base with --base.";
    throw new UsageError(`The head and base branch are both ${base}`, hint);
  }
  return head;
}

async function namedHead(context: HeadContext, typed: string, selected: RepoName): Promise<PullHead> {
  const { git, repo } = context;
  const [, login, given, branch = typed] = /^(?:([^/:]+)(?:\/([^/:]+))?:)?(.+)$/.exec(typed) ?? [];
  const owner = login ?? selected.owner;
  const name = given ?? [repo, selected].find((one) => one.owner === owner)?.name;
  const remotes = await pushRemotes(context);
  const remote = remotes.find((one) => pointsTo(one, { owner, name: name ?? one.repo }));
  return {
    label: login === undefined ? headLabel(selected, repo, branch) : typed,
    branch,
    repo: { owner, name: name ?? remote?.repo ?? repo.name },
    // The local branch counts only if a remote leads to the named repository.
    local: remote !== undefined && (await hasRef(git, `refs/heads/${branch}`)) ? branch : undefined,
    remote,
  };
}

async function currentBranchHead(context: HeadContext, base: string, selected: RepoName): Promise<PullHead> {
  const { git, repo } = context;
  const local = await git.currentBranch();
  if (local === undefined) throw await noBranchError(git, "Pass the head branch with --head.");
  await requireCommits(git, local, `Commit something first, or pass the head branch with --head.`);
  const settings = await branchSettings(git, local);
  const remotes = await pushRemotes(context);
  const elsewhere = (await git.remotes()).filter((one) => !remotes.some(({ name }) => name === one.name));
  // That of a pull request (refs/pull/N/head) is no branch to push to.
  const isBranch = settings.merge?.startsWith("refs/") !== true;
  // That of a checked-out fork is pushed there, whatever its name.
  const never = remoteAt(settings.remote, context) === undefined ? base : undefined;
  const upstream = isBranch && (await pushesToUpstream(git, local, settings, never)) ? settings.merge : undefined;
  const ours = upstream === undefined ? undefined : settings.remote;
  const configured = [settings.pushRemote, settings.pushDefault, ours, await remoteWithBranch(git, local)];
  const name =
    configured.find((one) => one !== undefined && !elsewhere.some(({ name, url }) => name === one || url === one)) ??
    (await defaultRemote(context, remotes, selected))?.name;
  const remote = remotes.find((one) => one.name === name || one.url === name) ?? remoteAt(name, context);
  const branch = (remote?.name === settings.remote ? upstream : undefined) ?? local;
  const place = remote === undefined ? selected : { owner: remote.owner, name: remote.repo };
  const follows = pullOfRef(settings.merge);
  return { label: headLabel(place, repo, branch), branch, repo: place, local, remote, follows };
}

/** The repository at a URL, which the branch of a fork without a remote is pushed to; undefined on another server. */
function remoteAt(url = "", { profiles, server }: HeadContext): Remote | undefined {
  const place = repositoryOfUrl(url);
  return place !== undefined && isOnServer(profiles.read(), server, place.host)
    ? { name: url, url, ...place }
    : undefined;
}

/** `BRANCH`, or that of a fork. */
function headLabel(place: RepoName, repo: RepoName, branch: string): string {
  return isSameRepo(place, repo) ? branch : forkLabel(place, repo, branch);
}

/** `OWNER:BRANCH`, or `OWNER/REPO:BRANCH` for a fork with another name. */
export function forkLabel(place: RepoName, repo: RepoName, branch: string): string {
  const same = place.name.toLowerCase() === repo.name.toLowerCase();
  return `${same ? place.owner : fullName(place)}:${branch}`;
}

/** The git remotes on this server, with the repositories that git pushes to: `remote.NAME.pushurl` can differ. */
async function pushRemotes(context: HeadContext): Promise<Remote[]> {
  const { git, profiles, server } = context;
  const config = profiles.read();
  const pushRemote = async (remote: Remote): Promise<Remote> => {
    const { stdout } = await git.attempt(["remote", "get-url", "--push", "--all", "--end-of-options", remote.name]);
    const places = stdout.split("\n").flatMap((url) => {
      const place = repositoryOfUrl(url);
      return place !== undefined && isOnServer(config, server, place.host) ? { name: remote.name, url, ...place } : [];
    });
    const same = places.find(({ owner, repo: name }) => pointsTo(remote, { owner, name }));
    return same ?? places[0] ?? remote;
  };
  return Promise.all((await remotesOnServer(context)).map(pushRemote));
}

/**
 * The remote for a branch that git has no remote for: origin or the only one, else by the repositories: your own, if it is
 * the base repository or a fork of it, or the selected one.
 */
async function defaultRemote(context: HeadContext, remotes: readonly Remote[], selected: RepoName) {
  const { http, repo } = context;
  const known = remotes.find(({ name }) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
  if (known !== undefined || remotes.length === 0) return known;
  const user = (await currentUser(context)).toLowerCase();
  for (const one of remotes.filter(({ owner }) => owner.toLowerCase() === user)) {
    if (pointsTo(one, repo)) return one;
    const parent = parentOf(await call(http, repoGet, { repo: { owner: one.owner, name: one.repo } }));
    if (parent !== undefined && isSameRepo(parent, repo)) return one;
  }
  return remotes.find((one) => pointsTo(one, selected));
}
