import pMap from "p-map";
import { listingOf } from "../../app/everywhere.ts";
import { listRuns, type OnBound, type RunFilter } from "../../forge/list-runs.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import { repoSearch } from "../../forge/search.ts";
import type { Http } from "../../http/client.ts";
import { HttpError, UnknownOperationError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { parseRepo } from "../../repo/repo-name.ts";

/** How many repositories are read at the same time. */
const concurrency = 8;

/** When a run or task was started or, if it still waits, created. */
export function runTime(item: RunOrTask): string | undefined {
  return readRun(item).started;
}

/**
 * The runs of every repository that the caller can see, newest first: no operation lists them, so the newest `most` of each
 * repository are read. Repositories without Actions are left out.
 */
export async function runsOfAllRepos(
  http: Http,
  filter: RunFilter,
  most: number,
  onBound: OnBound,
): Promise<Listing<RunOrTask>> {
  const repos = await collect(call(http, repoSearch, { q: "", sort: "updated", order: "desc" }));
  const read = async (name: string): Promise<RunOrTask[]> => {
    try {
      const runs = listRuns(http, { of: "repository", repo: parseRepo(name) }, filter, onBound);
      const found = (await http.ifReadable(collect(runs, most))) ?? [];
      // Tasks name no repository: --all-repos adds it.
      return found.map((item) => (isTask(item) ? { ...item, repository: { full_name: name } } : item));
    } catch (error) {
      // Then no repository of the server has a list (docs/server-differences.md, "Runs and jobs").
      if (error instanceof UnknownOperationError) throw error;
      // Actions are switched off, or not for the caller.
      if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return [];
      throw error;
    }
  };
  const found = (await pMap(repos, ({ full_name }) => read(full_name), { concurrency })).flat();
  const at = (item: RunOrTask) => Date.parse(runTime(item) ?? "") || 0;
  return listingOf(found.sort((one, other) => at(other) - at(one)));
}
