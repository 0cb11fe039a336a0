import { setTime } from "../shape/shape.ts";
import type { Job } from "./jobs.ts";
import { internalProgressOf, type Progress, progressOf } from "./run-states.ts";
import type { ForgejoRun, GiteaRun, Run, Task } from "./runs.ts";

/** The record of a run. Forgejo before 12.0 has only tasks (docs/server-differences.md, "Runs and jobs"). */
export type RunOrTask = Run | Task;

/** What every server tells of a run, whatever it calls it. */
export interface RunFacts extends Progress {
  readonly number: number;
  readonly title: string;
  /** The workflow file, without folder and ref. */
  readonly workflow: string;
  /** The branch, the tag, or `#12` for a pull request. */
  readonly branch: string;
  /** The branch, if a list can be filtered by it. */
  readonly headBranch: string | undefined;
  readonly sha: string;
  readonly event: string | undefined;
  readonly actor: string | undefined;
  readonly attempt: number | undefined;
  /** Who started the latest attempt. */
  readonly rerunBy: string | undefined;
  /** Where the server tells it: Forgejo. */
  readonly created: string | undefined;
  readonly started: string | undefined;
  readonly completed: string | undefined;
  readonly url: string | undefined;
}

/** Reads a record of a run in the form of any server. */
export function readRun(record: RunOrTask): RunFacts {
  if (isTask(record)) return readTask(record);
  return isOfForgejo(record) ? readForgejoRun(record) : readGiteaRun(record);
}

/** If the record has no branch, it is taken from `path`. */
function readGiteaRun(run: GiteaRun): RunFacts {
  const [file = ""] = run.path.split("@", 1);
  const ref = /@(.+)$/.exec(run.path)?.[1] ?? "";
  const short = ref.replace(/^refs\/pull\/(\d+)\/(head|merge)$/, "#$1").replace(/^refs\/(heads|tags)\//, "");
  return {
    number: run.run_number,
    title: run.display_title ?? "",
    workflow: file.slice(file.lastIndexOf("/") + 1),
    branch: run.head_branch || short,
    headBranch: run.head_branch || undefined,
    sha: run.head_sha,
    event: run.event,
    actor: run.actor?.login,
    attempt: run.run_attempt,
    rerunBy: run.trigger_actor?.login,
    created: undefined,
    started: setTime(run.started_at),
    completed: setTime(run.completed_at),
    url: run.html_url,
    ...progressOf(run.status, run.conclusion),
  };
}

function readForgejoRun(run: ForgejoRun): RunFacts {
  return {
    number: run.index_in_repo,
    title: run.title ?? "",
    workflow: run.workflow_id,
    branch: run.prettyref,
    headBranch: run.prettyref.startsWith("#") ? undefined : run.prettyref,
    sha: run.commit_sha,
    event: run.trigger_event || run.event,
    actor: run.trigger_user?.login,
    attempt: undefined,
    rerunBy: undefined,
    created: setTime(run.created),
    started: setTime(run.started),
    completed: setTime(run.stopped),
    url: run.html_url,
    ...internalProgressOf(run.status),
  };
}

/** A task has no actor, and its last update is its end, once it has finished. */
function readTask(task: Task): RunFacts {
  const progress = internalProgressOf(task.status);
  return {
    number: task.run_number,
    title: task.display_title ?? "",
    workflow: task.workflow_id,
    branch: task.head_branch ?? "",
    headBranch: task.head_branch || undefined,
    sha: task.head_sha,
    event: task.event,
    actor: undefined,
    attempt: undefined,
    rerunBy: undefined,
    created: undefined,
    started: setTime(task.run_started_at),
    completed: progress.isFinished ? setTime(task.updated_at) : undefined,
    url: task.url,
    ...progress,
  };
}

/** Whether a run record is in the form of Forgejo. */
export function isOfForgejo(run: Run): run is ForgejoRun {
  return "index_in_repo" in run;
}

export function isTask(record: RunOrTask | Job): record is Task {
  return "workflow_id" in record && "run_number" in record;
}
