/** What every server tells of how far a run, a job or a step is, in the words of Gitea's runs. */
export interface Progress {
  /** The conclusion if there is one, else the status. */
  readonly state: string;
  /** Also for a conclusion that is not known here. */
  readonly isFinished: boolean;
}

const finished = ["success", "failure", "cancelled", "skipped", "timed_out", "neutral", "completed"];

/** How a run or a job with such a state ended; undefined if it has not. */
export function outcomeOf(state: string): "success" | "failure" | "other" | undefined {
  if (state === "success") return "success";
  if (state === "failure" || state === "timed_out") return "failure";
  return ["cancelled", "skipped", "neutral"].includes(state) ? "other" : undefined;
}

/** The progress of a record with a status and, once it is completed, a conclusion. */
export function progressOf(status: string, conclusion: string | undefined): Progress {
  if (conclusion) return { state: conclusion, isFinished: true };
  return { state: status, isFinished: finished.includes(status) };
}

/** The progress of a task, or of a run or job of Forgejo, which have one status. */
export function internalProgressOf(status: string): Progress {
  return progressOf(internalWords[status] ?? status, undefined);
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

/** The internal statuses that a word of Gitea's filters stands for, where it is not the same. */
export const internalStatuses: Readonly<Record<string, readonly string[]>> = {
  queued: ["waiting"],
  // The word of both: JSON output has that of the server.
  waiting: ["waiting", "blocked"],
  pending: ["blocked"],
  requested: ["blocked"],
  action_required: ["blocked"],
  in_progress: ["running", "cancelling"],
  timed_out: ["cancelled"],
  neutral: ["skipped"],
  completed: ["success", "failure", "cancelled", "skipped"],
};

/** The words for status filters of Gitea, which knows no other. `waiting` is a word of both servers, and means another state. */
export function giteaStatusesOf(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => giteaWords[word] ?? word))];
}

const giteaWords: Readonly<Record<string, string>> = {
  waiting: "pending",
  blocked: "pending",
  running: "in_progress",
};

/** The internal statuses for status filters of a list of runs (docs/server-differences.md, "Runs and jobs"). */
export function internalStatusesOf(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => internalStatuses[word] ?? word))];
}
