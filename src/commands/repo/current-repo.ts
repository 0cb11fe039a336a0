import { requirePresentName } from "../../app/present-name.ts";
import { call } from "../../forge/operation.ts";
import { type Repository, repoGet } from "../../forge/repos.ts";
import type { Http } from "../../http/client.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/**
 * The record of a repository under its current name. Servers redirect from the old name of a renamed repository, even for
 * writes; throws a usage error then, with the command line to run instead.
 */
export async function currentRepo(http: Http, repo: RepoName, command: (name: string) => string): Promise<Repository> {
  const found = await call(http, repoGet, { repo });
  requirePresentName(fullName(repo), found.full_name, (name) => `To use the new name, run: ${command(name)}`);
  return found;
}
