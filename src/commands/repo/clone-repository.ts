import { resolve } from "node:path";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { Failure } from "../../failure/failure.ts";
import type { Repository } from "../../forge/repos.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { cloneUrl, gitAuthConfig } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/** A new clone. */
export interface NewClone {
  readonly path: string;
  /** The parent of a fork, which is the remote `upstream`. */
  readonly upstream: RepoName | undefined;
}

/**
 * Clones a repository over HTTP with the token of the profile, into `dir` or a directory of its name. Adds the parent of a
 * fork as the remote upstream. Prints the command and returns undefined with `--dry-run`. Throws if git fails.
 */
export async function cloneRepository(
  context: BaseContext & ServerContext,
  found: Repository,
  dir?: string,
): Promise<NewClone | undefined> {
  const { server, system, git, options } = context;
  // The record has the current name. A typed old name works only through a redirect, which git must not follow.
  const repo = { owner: found.owner?.login ?? "", name: found.name ?? "" };
  const url = cloneUrl(server, repo);
  const folder = dir ?? directoryName(repo.name);
  if (options.dryRun) {
    await printGitDryRun(["clone", url, folder], context);
    return undefined;
  }
  const verbose = system.stderr.isTTY === true && !options.quiet ? ["--progress"] : [];
  await git.run(["clone", ...verbose, "--", url, folder], {
    config: await gitAuthConfig(server),
    progress: verbose.length > 0,
  });
  const path = resolve(system.cwd, folder);
  await setHelperIn(git.at(path), server);
  const parent = parentOf(found.parent);
  const isFetched = parent !== undefined && (await addUpstream(context, parent, path, verbose));
  return { path, upstream: isFetched ? parent : undefined };
}

async function addUpstream(
  { git, out, server }: BaseContext & ServerContext,
  parent: RepoName,
  path: string,
  verbose: readonly string[],
): Promise<boolean> {
  const here = git.at(path);
  await here.run(["remote", "add", "upstream", cloneUrl(server, parent)]);
  const settings = { config: await gitAuthConfig(server), progress: verbose.length > 0 };
  const { code } = await here.attempt(["fetch", ...verbose, "upstream"], settings);
  if (code !== 0) out.warn(`Added the remote upstream, but could not fetch ${fullName(parent)}`);
  return code === 0;
}

/** The parent repository of a fork, if the server returns it. */
export function parentOf(parent: unknown): RepoName | undefined {
  const { owner, name } = (parent ?? {}) as { owner?: { login?: unknown } | null; name?: unknown };
  const login = owner?.login;
  return typeof login === "string" && typeof name === "string" ? { owner: login, name } : undefined;
}

/** The name of a repository as a directory name. Throws for a name that would lead to another directory. */
function directoryName(name: string): string {
  if (/^[\w.-]+$/.test(name) && !/^(-|\.\.?$|\.git$)/.test(name)) return name;
  throw new Failure("broken_answer", "failure", `The repository name '${name}' cannot be used as a directory name`, {
    hint: "Specify a directory: tongs repo clone REPO DIR",
  });
}
