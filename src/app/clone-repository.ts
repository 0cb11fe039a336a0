import { existsSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { isGitFolder, safeName } from "../archive/safe-path.ts";
import { Failure } from "../failure/failure.ts";
import { parentOf, type Repository } from "../forge/repos.ts";
import type { GitOptions } from "../git/git.ts";
import { setHelperIn } from "../profiles/git-helper.ts";
import { type GitProtocol, gitProtocol, remoteUrl } from "../profiles/git-url.ts";
import { gitAuthConfig } from "../profiles/server.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { fullPath, refuseLinks } from "../system/files.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { printGitDryRun } from "./dry-run.ts";

const isWindows = platform() === "win32";

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
  /** Flags of git clone, as typed. */
  readonly gitFlags?: readonly string[];
  /** What gets the progress that git reports; by default stderr, if that is a terminal. */
  readonly progress?: ((text: string) => void) | undefined;
}

/**
 * Clones a repository over HTTP with the token of the profile, or over SSH, by the setting `git_protocol`. Adds the parent
 * of a fork as the remote upstream. Prints the command and returns undefined with `--dry-run`. Throws if git fails.
 */
export async function cloneRepository(
  context: BaseContext & ServerContext,
  found: Repository,
  options: CloneOptions,
): Promise<NewClone | undefined> {
  const { server, system, git } = context;
  const { typed, dir, protocol = gitProtocol(system), command = "tongs repo clone REPO", gitFlags = [] } = options;
  // The record has the current name. A typed old name works only through a redirect, which git must not follow.
  const repo = { owner: found.owner?.login ?? "", name: found.name ?? "" };
  const url = remoteUrl(server, { ...repo, ssh_url: found.ssh_url }, protocol);
  const parent = parentOf(found);
  const upstream = parent === undefined ? "" : remoteUrl(server, parent, protocol);
  const folder = dir ?? directoryName(repo.name, typed, command);
  if (dir === undefined) refuseLinks(folder, system);
  const path = fullPath(folder, system);
  if (context.options.dryRun) {
    await printGitDryRun(["clone", ...gitFlags, url, folder], context);
    return undefined;
  }
  const progress = options.progress ?? (system.stderr.isTTY === true && !context.options.quiet);
  const verbose = progress === false ? [] : ["--progress"];
  const settings = { config: await gitAuthConfig(server), progress };
  await git.run(["clone", ...verbose, ...gitFlags, "--", url, system.confine === undefined ? folder : path], settings);
  // With --bare or --mirror there is none.
  const here = git.at(path, !existsSync(join(path, ".git")));
  if (protocol === "https") await setHelperIn(here, server);
  const isFetched = parent !== undefined && (await addUpstream({ ...context, git: here }, parent, upstream, settings));
  return { path, upstream: isFetched ? parent : undefined };
}

async function addUpstream(
  { git, out }: BaseContext,
  parent: RepoName,
  url: string,
  settings: GitOptions,
): Promise<boolean> {
  await git.run(["remote", "add", "--", "upstream", url]);
  const verbose = settings.progress === false ? [] : ["--progress"];
  const { code } = await git.attempt(["fetch", ...verbose, "upstream"], settings);
  if (code !== 0) out.warn(`Added the remote upstream, but could not fetch ${fullName(parent)}`);
  return code === 0;
}

/** Whether a name from a server is that of a directory, on every system, and not one of git or of tongs. */
export function isDirectoryName(name: string): boolean {
  return /^[\w.-]+$/.test(name) && !/^(-|\.+$)/.test(name) && !isGitFolder(name) && safeName(name, isWindows) === name;
}

/**
 * The name of a repository as a directory name. Throws for one that would lead to another directory or is git's own on
 * some system, and for a hidden one that was not typed, such as `.ssh`.
 */
function directoryName(name: string, typed: string, command: string): string {
  const isHidden = name.startsWith(".") && name.toLowerCase() !== typed.toLowerCase();
  if (isDirectoryName(name) && !isHidden) return name;
  throw new Failure("git", `The repository name '${name}' cannot be used as a directory name`, {
    hint: `Specify a directory: ${command} DIR`,
  });
}
