import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, InvalidError, ServerError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { Level } from "./level.ts";
import { filterListing, orInstead } from "./listings.ts";
import { call } from "./operation.ts";
import { isOfForgejo, isTask, type RunOrTask, readRun } from "./read-run.ts";
import { giteaStatusesOf, internalStatusesOf } from "./run-states.ts";
import { type ForgejoRunQuery, type Run, type RunQuery, runList, taskList, workflowRunList } from "./runs.ts";
import { userGet } from "./users.ts";

/** Filters for a list of runs. */
export interface RunFilter extends RunQuery {
  /** The file of the workflow. */
  readonly workflow?: string | undefined;
  /** A branch, or `refs/tags/NAME`. */
  readonly branch?: string | undefined;
}

/** The tag that a filter names instead of a branch. */
function tagIn({ branch = "" }: RunFilter): string | undefined {
  return /^refs\/tags\/(.+)$/s.exec(branch)?.[1];
}

/** Called with how many runs were searched, if the search ended there. */
export type OnBound = (searched: number) => void;

/** How many runs are searched for those that match filters that the server does not have, unless all are asked for. */
const mostSearched = 1000;

/**
 * Runs, newest first; on a server without run records, or one that shows them to owners only, its tasks, one for each
 * started job (docs/server-differences.md, "Runs and jobs"). Filters that the server does not have are applied here.
 */
export function listRuns(
  http: Http,
  level: Level,
  filter: RunFilter,
  onBound: OnBound = () => undefined,
): Listing<RunOrTask> {
  const runs = () => withKnownActor(http, filter.actor, runsOf(http, level, filter, onBound));
  if (level.of !== "repository") return runs();
  const { repo } = level;
  const tasks = () => filterListing(call(http, taskList, { repo }), taskFilter(filter));
  return orElse<RunOrTask>(runs(), tasks);
}

function runsOf(http: Http, level: Level, filter: RunFilter, onBound: OnBound): Listing<Run> {
  const { workflow, branch, ...query } = filter;
  // Gitea has no filter for tags.
  const ofBranch = tagIn(filter) === undefined ? branch : undefined;
  const [words, own] = [giteaQuery({ branch: ofBranch, ...query }), forgejoQuery(filter)];
  const isSame = workflow === undefined && branch === undefined && String(words.status) === String(own.status);
  const all = () => {
    const first = call(http, runList, { level, ...words });
    return matching(
      http,
      isSame ? first : inWordsOfServer(first, () => call(http, runList, { level, ...own })),
      filter,
      onBound,
    );
  };
  if (workflow === undefined || level.of !== "repository") return all();
  // Gitea lists the runs of one workflow since 1.27.
  const listed = call(http, workflowRunList, { repo: level.repo, workflow_id: workflow, ...words });
  return orElse(tagIn(filter) === undefined ? listed : matching(http, listed, filter, onBound), all);
}

/** `waiting` means something else on Forgejo, which refuses the other word that Gitea has for it. */
function giteaQuery({ status, ...query }: RunQuery): RunQuery {
  return { ...query, status: status && giteaStatusesOf(status) };
}

/** The filters of Forgejo, which has none for actors (docs/server-differences.md, "Runs and jobs"). */
function forgejoQuery(filter: RunFilter): ForgejoRunQuery {
  const { workflow, branch, status, event, head_sha } = filter;
  return {
    event,
    head_sha,
    workflow_id: workflow,
    ref: branch === undefined || tagIn(filter) !== undefined ? branch : `refs/heads/${branch}`,
    status: status && internalStatusesOf(status).filter((word) => word !== "cancelling"),
  };
}

/**
 * The first listing, or the second if the server refuses the words of the first, or answers with records of Forgejo, which
 * ignores filters that it does not know.
 */
function inWordsOfServer(first: Listing<Run>, second: () => Listing<Run>): Listing<Run> {
  let listing = first;
  return {
    async *take(limit) {
      let refusal: InvalidError | undefined;
      if (listing === first) {
        try {
          for await (const run of first.take(limit)) {
            if (isOfForgejo(run)) {
              listing = second();
              break;
            }
            yield run;
          }
        } catch (error) {
          if (!(error instanceof InvalidError)) throw error;
          refusal = error;
          listing = second();
        }
        if (listing === first) return;
      }
      try {
        yield* listing.take(limit);
      } catch (error) {
        throw error instanceof InvalidError ? (refusal ?? error) : error;
      }
    },
    get total() {
      return listing.total;
    },
  };
}

/**
 * The run with a number. Lists are newest first and numbers only grow, which limits how many runs of Gitea have to be
 * read; Forgejo has a filter for it.
 */
export async function runNumbered(http: Http, repo: RepoName, number: number): Promise<Run | undefined> {
  const runs = call(http, runList, { level: { of: "repository", repo } });
  let newest: Run | undefined;
  for await (const run of runs.take(50)) {
    newest ??= run;
    const found = readRun(run).number;
    if (found === number) return run;
    if (found < number) return undefined;
  }
  if (newest === undefined) return undefined;
  const rest = isOfForgejo(newest)
    ? call(http, runList, { level: { of: "repository", repo }, run_number: number }).take(1)
    : runs.take(readRun(newest).number - number + 1);
  for await (const run of rest) {
    const found = readRun(run).number;
    if (found === number) return run;
    if (found < number) return undefined;
  }
  return undefined;
}

/** The first listing, or the second if the server does not have the operation of the first, or shows it to owners only. */
function orElse<T>(first: Listing<T>, second: () => Listing<T>): Listing<T> {
  return orInstead(first, async (error) => {
    if (error instanceof UnknownOperationError) return second();
    const refuse = () => Promise.reject(error);
    if (!(error instanceof DeniedError) || error.status !== 403) return refuse();
    // If the server refuses both, the first is reported; if it has neither, the second, which more servers have.
    try {
      return orInstead(second(), refuse);
    } catch {
      return refuse();
    }
  });
}

/**
 * The runs that match. If the server did not apply every filter, more runs are read, up to `mostSearched`; if none is by the
 * actor, who may not exist, looking up the user gives the right error.
 */
function matching(http: Http, listing: Listing<Run>, filter: RunFilter, onBound: OnBound): Listing<Run> {
  const test = filterOf(filter);
  let total: () => number | undefined = () => listing.total;
  return {
    async *take(limit) {
      const seen = new Set<number>();
      let read = 0;
      for await (const run of listing.take(limit)) {
        read += 1;
        if (!test(run)) continue;
        seen.add(run.id);
        yield run;
      }
      if (seen.size === read) return;
      total = () => undefined;
      const most = Number.isFinite(limit) ? Math.max(mostSearched, limit) : limit;
      let searched = 0;
      for await (const run of read < limit ? [] : listing.take(most)) {
        searched += 1;
        if (seen.has(run.id) || !test(run)) continue;
        seen.add(run.id);
        yield run;
        if (seen.size >= limit) return;
      }
      if (searched === most && searched !== listing.total) onBound(searched);
      if (seen.size === 0 && filter.actor !== undefined) await call(http, userGet, { username: filter.actor });
    },
    get total() {
      return total();
    },
  };
}

/**
 * The server answers 500 for an unknown actor (docs/server-differences.md, "Runs and jobs"): looking up the user gives
 * the right error.
 */
function withKnownActor<T>(http: Http, actor: string | undefined, listing: Listing<T>): Listing<T> {
  if (actor === undefined) return listing;
  return orInstead(listing, async (error) => {
    if (error instanceof ServerError) await call(http, userGet, { username: actor });
    throw error;
  });
}

/** The filter for tasks. Task records have no actor. */
function taskFilter(filter: RunFilter): (task: RunOrTask) => boolean {
  if (filter.actor !== undefined) {
    throw new Failure("unknown_operation", "This server cannot filter runs by actor", {
      hint: "Omit --actor.",
    });
  }
  if (tagIn(filter) !== undefined) {
    throw new Failure("unknown_operation", "This server does not tell runs of a tag from those of a branch", {
      hint: "Pass the name of the tag without refs/tags/, to list the runs of both.",
    });
  }
  return filterOf(filter);
}

/** What tells whether a run or task matches a filter. Of a run of Gitea only the workflow and the tag are looked at. */
function filterOf(filter: RunFilter): (item: RunOrTask) => boolean {
  const { workflow, branch, event, head_sha, actor, status = [] } = filter;
  const tag = tagIn(filter);
  const statuses = internalStatusesOf(status);
  return (item) => {
    const run = readRun(item);
    if (workflow !== undefined && run.workflow !== workflow) return false;
    if (!isTask(item) && !isOfForgejo(item)) return tag === undefined || item.path.endsWith(`@${branch}`);
    return (
      (branch === undefined || run.branch === (tag ?? branch)) &&
      (event === undefined || run.event === event || item.event === event) &&
      (head_sha === undefined || run.sha === head_sha) &&
      (actor === undefined || run.actor?.toLowerCase() === actor.toLowerCase()) &&
      (statuses.length === 0 || statuses.includes(item.status))
    );
  };
}
