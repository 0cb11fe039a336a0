import { Failure } from "../failure/failure.ts";
import type { Git } from "./git.ts";

/** The upstream of a branch: `branch.NAME.remote`, and `branch.NAME.merge` without `refs/heads/`. */
export interface Upstream {
  readonly remote: string | undefined;
  readonly merge: string | undefined;
}

/**
 * Whether a branch is pushed to its upstream. A branch created by `git switch -c x origin/main` has the upstream main, but
 * is not meant to be pushed to it. `base` is a branch that it is never pushed to.
 */
export async function pushesToUpstream(git: Git, local: string, { remote, merge }: Upstream, base?: string) {
  if (merge === undefined || merge === local) return true;
  if (merge === base || (await hasRef(git, `refs/remotes/${remote}/${local}`))) return false;
  const main = await git.attempt(["symbolic-ref", "--quiet", `refs/remotes/${remote}/HEAD`]);
  return main.stdout.trim() !== `refs/remotes/${remote}/${merge}`;
}

/** What git is configured to do with a branch. */
export interface BranchSettings extends Upstream {
  readonly pushRemote: string | undefined;
  readonly pushDefault: string | undefined;
}

/** Reads the settings of a branch; `merge` is without `refs/heads/`. */
export async function branchSettings(git: Git, branch: string): Promise<BranchSettings> {
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

/** The only remote with a remote-tracking branch of that name. */
export async function remoteWithBranch(git: Git, branch: string): Promise<string | undefined> {
  const { stdout } = await git.attempt(["for-each-ref", "--format=%(refname)", `refs/remotes/*/${branch}`]);
  const names = stdout.split("\n").flatMap((ref) => /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1] ?? []);
  return names.length === 1 ? names[0] : undefined;
}

/** Whether a ref exists in the local repository. */
export async function hasRef(git: Git, ref: string): Promise<boolean> {
  return (await git.attempt(["show-ref", "--verify", "--quiet", ref])).code === 0;
}

/**
 * Whether a branch name is valid (git check-ref-format). Names from a server are used in refspecs and arguments: one that
 * could be read as an option or as two refs is not valid, nor is HEAD, which leads to another branch.
 */
export function isBranchName(name: string): boolean {
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|\/$|\.$|^(@|HEAD)$/;
  return name !== "" && !forbidden.test(name) && name.split("/").every((part) => !/^\.|\.lock$/.test(part));
}

/**
 * Whether a name is, or can become, something other than a local branch of that name: a remote-tracking branch
 * (`origin/main`), a tag, a commit, a full ref, or one that git writes itself (`FETCH_HEAD`), or cannot become a branch because
 * of another, as feat/x beside feat. git would take the one for the other. An existing branch may have the name of a tag or a
 * commit.
 */
export async function meansSomethingElse(git: Git, name: string): Promise<boolean> {
  if (/^(?:refs|heads|tags|remotes)\/|^stash$|^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name)) return true;
  if (/^(?:[A-Z_-]+_)?HEAD$/.test(name)) return true;
  const remotes = (await git.attempt(["remote"])).stdout.split("\n").filter((remote) => remote !== "");
  if (remotes.some((remote) => name === remote || name.startsWith(`${remote}/`))) return true;
  if (await hasRef(git, `refs/heads/${name}`)) return false;
  if ((await branchInWay(git, name)) !== undefined) return true;
  return (await git.attempt(["rev-parse", "--verify", "--quiet", "--end-of-options", name])).code === 0;
}

/** The local branch beside which git makes none of a name, as feat beside feat/x. */
export async function branchInWay(git: Git, name: string): Promise<string | undefined> {
  const near = await git.attempt(["for-each-ref", "--format=%(refname:lstrip=2)", `refs/heads/${name.split("/")[0]}`]);
  return near.stdout
    .split("\n")
    .find((one) => one !== "" && (name.startsWith(`${one}/`) || one.startsWith(`${name}/`)));
}

/** Returns a branch name from a server. Throws a `Failure` if it is not a valid branch name. */
export function branchName(name: string): string {
  if (isBranchName(name)) return name;
  throw new Failure("git", `The server returned an invalid branch name '${name}'`);
}
