import { Failure } from "../failure/failure.ts";
import { ServerError, UnknownOperationError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { Forge } from "./index.ts";
import type { Level } from "./level.ts";
import { narrow } from "./listings.ts";
import { branchOf, type RunOrTask, taskStatuses, workflowOf } from "./run-or-task.ts";
import type { Run, RunQuery, Task } from "./runs.ts";

/** What narrows a list of runs on either server. */
export interface RunFilter extends RunQuery {
  /** The file of the workflow. */
  readonly workflow?: string | undefined;
}

/**
 * Runs, newest first; on a server without run records the tasks, one for each job that a runner took (api-facts 8.2).
 * What a server cannot filter by is filtered here.
 */
export function listRuns(forge: Forge, level: Level, filter: RunFilter): Listing<RunOrTask> {
  const runs = () => withKnownActor(forge, filter.actor, runsOf(forge, level, filter));
  if (level.of !== "repository") return runs();
  const { repo } = level;
  return instead<RunOrTask>(runs, () => narrow(forge.tasks.list(repo), taskTest(filter)));
}

function runsOf(forge: Forge, level: Level, { workflow, ...query }: RunFilter): Listing<Run> {
  const all = () => forge.runs.list(level, query);
  if (workflow === undefined) return all();
  const ofThat = () => narrow(all(), (run) => workflowOf(run) === workflow);
  if (level.of !== "repository") return ofThat();
  // Since 1.27 the server lists the runs of one workflow.
  return instead(() => forge.runs.ofWorkflow(level.repo, workflow, query), ofThat);
}

/** A listing, or the other one where the server has no such operation. */
function instead<T>(first: () => Listing<T>, second: () => Listing<T>): Listing<T> {
  let listing = first();
  return {
    async *take(limit) {
      const items = listing.take(limit);
      let begun: IteratorResult<T, void>;
      try {
        begun = await items.next();
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        listing = second();
        try {
          yield* listing.take(limit);
        } catch (other) {
          // Where the second is missing as well the first is what was meant.
          throw other instanceof UnknownOperationError ? error : other;
        }
        return;
      }
      if (begun.done) return;
      yield begun.value;
      yield* items;
    },
    get total() {
      return listing.total;
    },
  };
}

/** The server fails with 500 when there is no such actor (api-facts 3.6.6): then the user is asked for, which says so. */
function withKnownActor<T>(forge: Forge, actor: string | undefined, listing: Listing<T>): Listing<T> {
  if (actor === undefined) return listing;
  return {
    async *take(limit) {
      try {
        yield* listing.take(limit);
      } catch (error) {
        if (error instanceof ServerError) await forge.users.get(actor);
        throw error;
      }
    },
    get total() {
      return listing.total;
    },
  };
}

/** Whether a task passes. Its record does not say who caused it. */
function taskTest(filter: RunFilter): (task: RunOrTask) => boolean {
  if (filter.actor !== undefined) {
    throw new Failure("unknown_operation", "notFound", "This server's task records do not say who caused a run", {
      hint: "Leave --actor out.",
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
