import type { RepositoryContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Git } from "../../git/git.ts";
import { hasRef, pushesToUpstream, type Upstream } from "../../git/refs.ts";
import type { Remote } from "../../git/remotes.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/** The head of a new pull request. */
export interface Head {
  /** As the API takes it: `branch`, `owner:branch` or `owner/repo:branch`. */
  readonly spelled: string;
  /** Its name on the server. */
  readonly branch: string;
  /** The repository it is in, as far as that can be told from here. */
  readonly repo: RepoName;
  /** The branch in the checkout here that it comes from. */
  readonly local: string | undefined;
  /** The remote that it is pushed to. */
  readonly remote: Remote | undefined;
}

type HeadContext = RepositoryContext & { readonly git: Git };

/** The head that was named, or the branch checked out here under the name and in the repository it is pushed to. */
export async function chooseHead(context: HeadContext, typed: string | undefined, base: string): Promise<Head> {
  const head = typed === undefined ? await currentHead(context, base) : await namedHead(context, typed);
  if (head.branch === base && isSame(head.repo, context.repo)) {
    const hint = "Make a branch of your own first (git switch -c NAME), or name another base with --base.";
    throw new UsageError(`The head and the base are both ${base}`, hint);
  }
  return head;
}

async function namedHead({ git, repo }: HeadContext, typed: string): Promise<Head> {
  const [, owner = repo.owner, name, branch = typed] = /^(?:([^/:]+)(?:\/([^/:]+))?:)?(.+)$/.exec(typed) ?? [];
  const remotes = await git.remotes();
  const remote = remotes.find((one) => {
    const wanted = name ?? (owner === repo.owner ? repo.name : one.repo);
    return isSame({ owner: one.owner, name: one.repo }, { owner, name: wanted });
  });
  return {
    spelled: typed,
    branch,
    repo: { owner, name: name ?? remote?.repo ?? repo.name },
    // A branch here only counts where there is a way to push it to what was named.
    local: remote !== undefined && (await hasRef(git, `refs/heads/${branch}`)) ? branch : undefined,
    remote,
  };
}

async function currentHead({ git, repo }: HeadContext, base: string): Promise<Head> {
  const local = await git.currentBranch();
  if (local === undefined) throw new UsageError("Which branch? None is checked out here", "Name it with --head.");
  const settings = await branchSettings(git, local);
  const remotes = await git.remotes();
  const followed = (await pushesToUpstream(git, local, settings, base)) ? settings.merge : undefined;
  const ours = followed === undefined ? undefined : settings.remote;
  const name =
    settings.pushRemote ?? settings.pushDefault ?? ours ?? (await remoteThatHas(git, local)) ?? usual(remotes)?.name;
  const remote = remotes.find((one) => one.name === name || one.url === name);
  const branch = (remote?.name === settings.remote ? followed : undefined) ?? local;
  const place = remote === undefined ? repo : { owner: remote.owner, name: remote.repo };
  return { spelled: isSame(place, repo) ? branch : spelledIn(place, repo, branch), branch, repo: place, local, remote };
}

/** A fork of another name has to be named whole. */
function spelledIn(place: RepoName, repo: RepoName, branch: string): string {
  const same = place.name.toLowerCase() === repo.name.toLowerCase();
  return `${same ? place.owner : fullName(place)}:${branch}`;
}

interface BranchSettings extends Upstream {
  readonly pushRemote: string | undefined;
  readonly pushDefault: string | undefined;
}

async function branchSettings(git: Git, branch: string): Promise<BranchSettings> {
  const { stdout } = await git.attempt(["config", "--list", "-z"]);
  const settings = new Map(stdout.split("\0").map((entry) => entry.split(/\n([\s\S]*)/, 2) as [string, string]));
  const of = (key: string) => settings.get(`branch.${branch}.${key}`);
  return {
    remote: of("remote"),
    merge: of("merge")?.replace(/^refs\/heads\//, ""),
    pushRemote: of("pushremote"),
    pushDefault: settings.get("remote.pushdefault"),
  };
}

/** The remote that is known to have a branch of that name, if just one is. */
async function remoteThatHas(git: Git, branch: string): Promise<string | undefined> {
  const { stdout } = await git.attempt(["for-each-ref", "--format=%(refname)", `refs/remotes/*/${branch}`]);
  const names = stdout.split("\n").flatMap((ref) => /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1] ?? []);
  return names.length === 1 ? names[0] : undefined;
}

function usual(remotes: readonly Remote[]): Remote | undefined {
  return remotes.find(({ name }) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
}

function isSame(a: RepoName, b: RepoName): boolean {
  return fullName(a).toLowerCase() === fullName(b).toLowerCase();
}
