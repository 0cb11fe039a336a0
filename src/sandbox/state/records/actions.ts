import type { Flags, Numbers, Texts } from "./fields.ts";

/** The result of a job or a step. It is known when a run starts and revealed as time passes. */
export type Outcome = "success" | "failure" | "skipped";

/**
 * A workflow run: its number in the repository, never reused; the file name of the workflow and its `name`; the full ref; the
 * number of the pull request that triggered it, or 0; whether it waits for approval, and by whom it was approved. Times in
 * records of Actions are milliseconds since the epoch.
 */
export interface RunRecord
  extends Numbers<"id" | "repoId" | "number" | "pull" | "approvedBy">,
    Texts<"workflow" | "event" | "ref" | "sha" | "title" | "name">,
    Flags<"needsApproval"> {
  /** The ids of the users who started each attempt, in order. */
  readonly starters: readonly number[];
}

/** A log line and its offset from the start of the step. */
export type LogLine = Numbers<"after"> & Texts<"text">;

/** What a step will do. */
export interface StepPlan extends Texts<"name"> {
  readonly lines: readonly LogLine[];
  /** The total time of its sleep commands. */
  readonly sleeps: number;
  readonly outcome: Outcome;
  readonly upload?: Upload | undefined;
}

/** An artifact that a step uploads. */
export interface Upload extends Texts<"name"> {
  readonly files: readonly ArtifactFile[];
  /** Retention in days. */
  readonly days: number;
  /** The version of the upload action. The API does not list artifacts of version 3. */
  readonly generation: 3 | 4;
}

/** A file of an artifact, with its text. */
export type ArtifactFile = Texts<"path" | "content">;

/** What a job will do: its key in the workflow file, the keys of those it needs, the runner labels it requires. */
export interface JobPlan extends Texts<"key" | "name"> {
  readonly needs: readonly string[];
  readonly labels: readonly string[];
  readonly steps: readonly StepPlan[];
  readonly outcome: Outcome;
}

/**
 * A job of one attempt of a run. Each step takes its pace in addition to its sleep commands. The task is assigned when a runner
 * takes the job.
 */
export interface JobRecord
  extends JobPlan,
    Numbers<"id" | "repoId" | "runId" | "attempt" | "created" | "pace" | "runnerId" | "taskId">,
    Flags<"cancelled"> {
  /** When the jobs it needs were completed; null for never. */
  readonly ready: number | null;
  readonly start: number | null;
  /** When it ended, or was cancelled. */
  readonly end: number | null;
}

/** The level of a hook, a runner, a variable or a secret: a repository, or an owner (user or organization), by its id. */
export interface Place {
  readonly level: "repository" | "owner" | "server";
  readonly of: number;
}

/** A registered runner. It is online once it has declared itself, and polls for jobs at regular intervals since then. */
export interface RunnerRecord
  extends Place,
    Numbers<"id" | "since">,
    Texts<"name">,
    Flags<"disabled" | "online" | "ephemeral"> {
  readonly labels: readonly string[];
}

/**
 * An artifact of a run, hidden before its upload completed. Its job is 0 if it was not uploaded by one. A cleanup removes it
 * after it expired.
 */
export interface ArtifactRecord
  extends Pick<Upload, "name" | "generation">,
    Numbers<"id" | "repoId" | "runId" | "jobId" | "size" | "created" | "expires"> {
  readonly cleaned?: boolean;
  /** The files to zip, or an uploaded zip file in base64. */
  readonly content: readonly ArtifactFile[] | string;
}

/** A variable or a secret of Actions, with its name in upper case. The value of a secret is not stored: nothing reads it. */
export interface SettingRecord extends Place, Numbers<"id">, Texts<"name" | "value" | "description" | "created"> {
  readonly kind: "variable" | "secret";
}
