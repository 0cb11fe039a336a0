import type { BaseContext, ServerContext } from "../../app/context.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { isGitFolder } from "../../archive/safe-path.ts";
import { Failure } from "../../failure/failure.ts";
import { parentOf, type Repository } from "../../forge/repos.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { type GitProtocol, gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { fullPath } from "../../system/files.ts";

/** A new clone. */
export interface NewClone {
  readonly path: string;
  /** The parent of a fork, which is the remote `upstream`. */
  readonly upstream: RepoName | undefined;
}

interface CloneOptions {
  /** The name that the user gave the repository: the server may have another. */
  readonly typed: string;
  /** The target directory (default: the repository's name). */
  readonly dir?: string | undefined;
  readonly protocol?: GitProtocol | undefined;
  /** The command that takes a target directory, for the hint. */
  readonly command?: string;
}

/**
 * Clones a repository over HTTP with the token of the profile, or over SSH, by the setting `git_protocol`. Adds the parent
 * of a fork as the remote upstream. Prints the command and returns undefined with `--dry-run`. Throws if git fails.
 */
export async function cloneRepository(
  context: BaseContext & ServerContext,
  found: Repository,
  { typed, dir, protocol = gitProtocol(context.system), command = "tongs repo clone REPO" }: CloneOptions,
): Promise<NewClone | undefined> {
  const { server, system, git, options } = context;
  // The record has the current name. A typed old name works only through a redirect, which git must not follow.
  const repo = { owner: found.owner?.login ?? "", name: found.name ?? "" };
  const url = remoteUrl(server, { ...repo, ssh_url: found.ssh_url }, protocol);
  const parent = parentOf(found);
  const upstream = parent === undefined ? "" : remoteUrl(server, parent, protocol);
  const folder = dir ?? directoryName(repo.name, typed, command);
  const path = fullPath(folder, system);
  if (options.dryRun) {
    await printGitDryRun(["clone", url, folder], context);
    return undefined;
  }
  const verbose = system.stderr.isTTY === true && !options.quiet ? ["--progress"] : [];
  await git.run(["clone", ...verbose, "--", url, system.confine === undefined ? folder : path], {
    config: await gitAuthConfig(server),
    progress: verbose.length > 0,
  });
  if (protocol === "https") await setHelperIn(git.at(path), server);
  const isFetched = parent !== undefined && (await addUpstream(context, parent, upstream, { path, verbose }));
  return { path, upstream: isFetched ? parent : undefined };
}

async function addUpstream(
  { git, out, server }: BaseContext & ServerContext,
  parent: RepoName,
  url: string,
  { path, verbose }: { readonly path: string; readonly verbose: readonly string[] },
): Promise<boolean> {
  const here = git.at(path);
  await here.run(["remote", "add", "--", "upstream", url]);
  const settings = { config: await gitAuthConfig(server), progress: verbose.length > 0 };
  const { code } = await here.attempt(["fetch", ...verbose, "upstream"], settings);
  if (code !== 0) out.warn(`Added the remote upstream, but could not fetch ${fullName(parent)}`);
  return code === 0;
}

/**
 * The name of a repository as a directory name. Throws for one that would lead to another directory or is git's own on
 * some system, and for a hidden one that was not typed, such as `.ssh`.
 */
function directoryName(name: string, typed: string, command: string): string {
  const isHidden = name.startsWith(".") && name.toLowerCase() !== typed.toLowerCase();
  if (/^[\w.-]+$/.test(name) && !/^(-|\.\.?$)/.test(name) && !isGitFolder(name) && !isHidden) return name;
  throw new Failure("git", `The repository name '${name}' cannot be used as a directory name`, {
    hint: `Specify a directory: ${command} DIR`,
  });
}
