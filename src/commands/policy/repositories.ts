import pMap from "p-map";
import { names } from "../../command/flags.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Repository, repoGet } from "../../forge/repos.ts";
import { repoSearch } from "../../forge/search.ts";
import type { Http } from "../../http/client.ts";
import { reposOfOrgs, type Selection, selectRepos } from "./wanted.ts";

/** The flags that select the repositories of a report. */
export const reportFlags = {
  org: names("all repositories of these organizations", { placeholder: "ORG", source: "organization" }),
  repo: names("these repositories (default: all that you can see)", { short: "R", placeholder: "OWNER/NAME" }),
};

/** The records of the selected repositories. Throws a usage error for both flags. */
export async function reportedRepos(selection: Selection, http: Http): Promise<readonly Repository[]> {
  if (selection.org.length > 0) return reposOfOrgs(selection, http);
  if (selection.repo.length === 0) return collect(call(http, repoSearch, {}));
  return pMap(await selectRepos(selection, http), (one) => call(http, repoGet, { repo: one }), { concurrency: 8 });
}

/** `1 repository` */
export function reposText(count: number): string {
  return count === 1 ? "1 repository" : `${count} repositories`;
}
