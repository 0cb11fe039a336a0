import pMap from "p-map";
import { names, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoList, type Repository, repoGet } from "../../forge/repos.ts";
import { repoSearch } from "../../forge/search.ts";
import type { Http } from "../../http/client.ts";
import { type Selection, selectRepos } from "./wanted.ts";

/** The flags that select the repositories of a report. */
export const reportFlags = {
  org: text("all repositories of this organization", { placeholder: "ORG", source: "organization" }),
  repo: names("these repositories (default: all that you can see)", { short: "R", placeholder: "OWNER/NAME" }),
};

/** The records of the selected repositories. Throws a usage error for both flags. */
export async function reportedRepos({ org, repo }: Selection, http: Http): Promise<readonly Repository[]> {
  if (org !== undefined && repo.length > 0) throw new UsageError("Cannot use --org with --repo");
  if (org !== undefined) return collect(call(http, orgRepoList, { org }));
  if (repo.length === 0) return collect(call(http, repoSearch, {}));
  return pMap(await selectRepos({ org, repo }, http), (one) => call(http, repoGet, { repo: one }), { concurrency: 8 });
}

/** `1 repository` */
export function reposText(count: number): string {
  return count === 1 ? "1 repository" : `${count} repositories`;
}
