import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { ServerError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { Level } from "./level.ts";
import { filterListing } from "./listings.ts";
import { branchOf, type RunOrTask, taskStatuses, workflowOf } from "./run-or-task.ts";
import { type Run, type RunQuery, runsApi, type Task, tasksApi } from "./runs.ts";
import { usersApi } from "./users.ts";

/** Filters for a list of runs. */
export interface RunFilter extends RunQuery {
  /** The file of the workflow. */
  readonly workflow?: string | undefined;
}

/**
 * Runs, newest first; on a server without run records its tasks, one for each started job
 * (docs/server-differences.md, "Runs and jobs"). Filters that the server does not have are applied here.
 */
export function listRuns(http: Http, level: Level, filter: RunFilter): Listing<RunOrTask> {
  const runs = () => withKnownActor(http, filter.actor, runsOf(http, level, filter));
  if (level.of !== "repository") return runs();
  const { repo } = level;
  return withFallback<RunOrTask>(runs, () => filterListing(tasksApi(http).list(repo), taskFilter(filter)));
}

function runsOf(http: Http, level: Level, { workflow, ...query }: RunFilter): Listing<Run> {
  const all = () => runsApi(http).list(level, query);
  if (workflow === undefined) return all();
  const filtered = () => filterListing(all(), (run) => workflowOf(run) === workflow);
  if (level.of !== "repository") return filtered();
  // Gitea lists the runs of one workflow since 1.27.
  return withFallback(() => runsApi(http).ofWorkflow(level.repo, workflow, query), filtered);
}

/** The first listing, or the second if the server does not have the operation of the first. */
function withFallback<T>(first: () => Listing<T>, second: () => Listing<T>): Listing<T> {
  let listing = first();
  return {
    async *take(limit) {
      const items = listing.take(limit);
      let start: IteratorResult<T, void>;
      try {
        start = await items.next();
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        // If the server has neither, the second is reported, which more servers have.
        listing = second();
        yield* listing.take(limit);
        return;
      }
      if (start.done) return;
      yield start.value;
      yield* items;
    },
    get total() {
      return listing.total;
    },
  };
}

/**
 * The server answers 500 for an unknown actor (docs/server-differences.md, "Runs and jobs"): looking up the user gives
 * the right error.
 */
function withKnownActor<T>(http: Http, actor: string | undefined, listing: Listing<T>): Listing<T> {
  if (actor === undefined) return listing;
  return {
    async *take(limit) {
      try {
        yield* listing.take(limit);
      } catch (error) {
        if (error instanceof ServerError) await usersApi(http).get(actor);
        throw error;
      }
    },
    get total() {
      return listing.total;
    },
  };
}

/** The filter for tasks. Task records have no actor. */
function taskFilter(filter: RunFilter): (task: RunOrTask) => boolean {
  if (filter.actor !== undefined) {
    throw new Failure("unknown_operation", "notFound", "This server cannot filter runs by actor", {
      hint: "Omit --actor.",
    });
  }
  const statuses = filter.status?.flatMap((word) => taskStatuses[word] ?? word);
  return (item) => {
    const task = item as Task;
    return (
      (filter.workflow === undefined || task.workflow_id === filter.workflow) &&
      (filter.branch === undefined || branchOf(task) === filter.branch) &&
      (filter.event === undefined || task.event === filter.event) &&
      (filter.head_sha === undefined || task.head_sha === filter.head_sha) &&
      (statuses === undefined || statuses.includes(task.status))
    );
  };
}
