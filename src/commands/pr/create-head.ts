import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { branchSettings, hasRef, pushesToUpstream, remoteWithBranch } from "../../git/refs.ts";
import { pointsTo, type Remote } from "../../git/remotes.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { fullName, isSameRepo, type RepoName, repositoryOfUrl } from "../../repo/repo-name.ts";
import { noBranchError } from "./find.ts";

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
  /** The remote to push to. */
  readonly remote: Remote | undefined;
}

type HeadContext = RepositoryContext & Pick<BaseContext, "git" | "profiles">;

/** The head branch from --head, or the current branch with the name and repository that it is pushed to. */
export async function resolveHead(context: HeadContext, typed: string | undefined, base: string): Promise<PullHead> {
  const head = typed === undefined ? await currentBranchHead(context, base) : await namedHead(context, typed);
  if (head.branch === base && isSameRepo(head.repo, context.repo)) {
    const hint = "Create a branch (git switch -c NAME), or choose another base with --base.";
    throw new UsageError(`The head and base branch are both ${base}`, hint);
  }
  return head;
}

async function namedHead(context: HeadContext, typed: string): Promise<PullHead> {
  const { git, repo } = context;
  const [, owner = repo.owner, name, branch = typed] = /^(?:([^/:]+)(?:\/([^/:]+))?:)?(.+)$/.exec(typed) ?? [];
  const remotes = await pushRemotes(context);
  const remote = remotes.find((one) => {
    const wanted = name ?? (owner === repo.owner ? repo.name : one.repo);
    return pointsTo(one, { owner, name: wanted });
  });
  return {
    label: typed,
    branch,
    repo: { owner, name: name ?? remote?.repo ?? repo.name },
    // The local branch counts only if a remote leads to the named repository.
    local: remote !== undefined && (await hasRef(git, `refs/heads/${branch}`)) ? branch : undefined,
    remote,
  };
}

async function currentBranchHead(context: HeadContext, base: string): Promise<PullHead> {
  const { git, repo } = context;
  const local = await git.currentBranch();
  if (local === undefined) throw await noBranchError(git, "Pass the head branch with --head.");
  const settings = await branchSettings(git, local);
  const remotes = await pushRemotes(context);
  const elsewhere = (await git.remotes()).filter((one) => !remotes.some(({ name }) => name === one.name));
  const upstream = (await pushesToUpstream(git, local, settings, base)) ? settings.merge : undefined;
  const ours = upstream === undefined ? undefined : settings.remote;
  const configured = [settings.pushRemote, settings.pushDefault, ours, await remoteWithBranch(git, local)];
  const name =
    configured.find((one) => one !== undefined && !elsewhere.some(({ name, url }) => name === one || url === one)) ??
    defaultRemote(remotes)?.name;
  const remote = remotes.find((one) => one.name === name || one.url === name);
  const branch = (remote?.name === settings.remote ? upstream : undefined) ?? local;
  const place = remote === undefined ? repo : { owner: remote.owner, name: remote.repo };
  return {
    label: isSameRepo(place, repo) ? branch : forkLabel(place, repo, branch),
    branch,
    repo: place,
    local,
    remote,
  };
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

function defaultRemote(remotes: readonly Remote[]): Remote | undefined {
  return remotes.find(({ name }) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
}
