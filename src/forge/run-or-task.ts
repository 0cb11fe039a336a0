import type { Job } from "./jobs.ts";
import type { ForgejoRun, GiteaRun, Run, Task } from "./runs.ts";

/** The record of a run. Forgejo before 12.0 has only tasks (docs/server-differences.md, "Runs and jobs"). */
export type RunOrTask = Run | Task;

/** What every server tells of a run, whatever it calls it. */
export interface RunFacts {
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
    started: run.started_at,
    completed: run.completed_at,
    url: run.html_url,
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
    started: run.started,
    completed: run.stopped,
    url: run.html_url,
  };
}

/** A task has no actor, and its last update is its end, once it has finished. */
function readTask(task: Task): RunFacts {
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
    started: task.run_started_at,
    completed: runState(task) === "in_progress" ? undefined : task.updated_at,
    url: task.url,
  };
}

/** Whether a run record is in the form of Forgejo. */
export function isOfForgejo(run: Run): run is ForgejoRun {
  return "index_in_repo" in run;
}

export function isTask(record: RunOrTask | Job): record is Task {
  return "workflow_id" in record && "run_number" in record;
}

/** Something with a state: a run, a task, a job or a step. */
type Stateful = RunOrTask | Job | { readonly status: string; readonly conclusion?: string | undefined };

/** The state in one word: the conclusion if there is one, else the status, in the words of Gitea's runs. */
export function runState(record: Stateful): string {
  if ("conclusion" in record && record.conclusion) return record.conclusion;
  const isInternal = "workflow_id" in record || "runs_on" in record;
  return (isInternal ? internalWords[record.status] : undefined) ?? record.status;
}

/** Whether a run, task or job has finished: it has a conclusion, also one that is not known here, or its status says so. */
export function isFinished(record: Stateful): boolean {
  if ("conclusion" in record && record.conclusion) return true;
  return ["success", "failure", "cancelled", "skipped", "timed_out", "neutral", "completed"].includes(runState(record));
}

/**
 * Statuses of tasks, and of runs and jobs of Forgejo, that have another name in run records of Gitea, where `waiting` is a
 * blocked run (docs/server-differences.md, "Runs and jobs").
 */
const internalWords: Readonly<Record<string, string>> = {
  waiting: "queued",
  blocked: "waiting",
  running: "in_progress",
  cancelling: "in_progress",
};

const internalStatuses: Readonly<Record<string, readonly string[]>> = {
  queued: ["waiting"],
  waiting: ["blocked"],
  pending: ["blocked"],
  requested: ["blocked"],
  action_required: ["blocked"],
  in_progress: ["running", "cancelling"],
  timed_out: ["cancelled"],
  neutral: ["skipped"],
  completed: ["success", "failure", "cancelled", "skipped"],
};

/** The internal statuses for status filters of a list of runs (docs/server-differences.md, "Runs and jobs"). */
export function internalStatusesOf(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => internalStatuses[word] ?? word))];
}
