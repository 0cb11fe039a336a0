import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import { fullName, parseRepo, type RepoName } from "../repo/repo-name.ts";
import { call } from "./operation.ts";
import { type PullRequest, pullList } from "./pulls.ts";
import { parentOf, type Repository } from "./repos.ts";

/** The open pull requests, as `OWNER/REPO#N`, that have a branch as their head or their base. */
export interface BranchPulls {
  readonly heads: readonly string[];
  readonly bases: readonly string[];
}

/** `mara/harbor#12`, by the present name of the repository. */
export const presentName = ({ base, number }: PullRequest) => `${base.repo?.full_name ?? ""}#${number}`;

/** How many open pull requests of a repository are looked at. */
const most = 1_000;

/**
 * Reads the open pull requests of some repositories and of those that they were forked from, and returns which of them have a
 * branch: servers close those that have a deleted branch as their head, and close those that are based on it or give them
 * another base. No server finds them all by branch. `warn` is told what was not looked at.
 */
export async function readBranchPulls(
  http: Http,
  repos: readonly Pick<Repository, "full_name" | "parent">[],
  warn: (message: string) => void,
): Promise<(repo: string, branch: string) => BranchPulls> {
  const all = [...repos.map((repo) => parseRepo(repo.full_name)), ...repos.flatMap((repo) => parentOf(repo) ?? [])];
  const names = new Map(all.map((repo) => [fullName(repo).toLowerCase(), repo]));
  const open = (await Promise.all([...names.values()].map((repo) => openPulls(http, repo, warn)))).flat();
  return (repo, branch) => {
    const isOf = (one: PullRequest["head"] | undefined) =>
      one?.ref === branch && one.repo?.full_name.toLowerCase() === repo.toLowerCase();
    return {
      heads: open.filter(({ head, flow }) => flow !== 1 && isOf(head)).map(presentName),
      bases: open.filter(({ base }) => isOf(base)).map(presentName),
    };
  };
}

async function openPulls(http: Http, repo: RepoName, warn: (message: string) => void): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  try {
    for await (const pull of call(http, pullList, { repo, state: "open" }).take(most)) found.push(pull);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Pull requests are switched off, or the repository is not visible.
    if (!(error instanceof NotFoundError))
      warn(`Could not look for open pull requests of ${fullName(repo)} that use the branch: ${error.message}`);
  }
  if (found.length === most) warn(`Only ${most} open pull requests of ${fullName(repo)} were looked at`);
  return found;
}

/** All of several, each once, without some of them. */
export function joinBranchPulls(all: readonly BranchPulls[], without: readonly string[] = []): BranchPulls {
  const once = (names: readonly string[]) => [...new Set(names)].filter((name) => !without.includes(name));
  const heads = once(all.flatMap((one) => one.heads));
  return { heads, bases: once(all.flatMap((one) => one.bases)).filter((name) => !heads.includes(name)) };
}

/** What the deletion of the branch does to them, after "which"; undefined for none. */
export function deletionEffect({ heads, bases }: BranchPulls): string | undefined {
  const pulls = (names: readonly string[]) => `pull request${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
  const parts = [
    ...(heads.length === 0 ? [] : [`closes ${pulls(heads)}`]),
    ...(bases.length === 0 ? [] : [`closes or retargets ${pulls(bases)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}
