/** The result of a job or a step. It is known when a run starts and revealed as time passes. */
export type Outcome = "success" | "failure" | "skipped";

/** A workflow run. Times in Actions records are milliseconds since the epoch. */
export interface RunRecord {
  readonly id: number;
  readonly repoId: number;
  /** The run number in the repository, never reused. */
  readonly number: number;
  /** The file name without its folder. */
  readonly workflow: string;
  readonly event: string;
  /** The full ref name. */
  readonly ref: string;
  readonly sha: string;
  readonly title: string;
  /** The workflow's `name` when the run started, else the file name. */
  readonly name: string;
  /** The number of the pull request that triggered the run; 0 for other events. */
  readonly pull: number;
  /** Whether the run waits for approval: a pull request from a fork by a new contributor. */
  readonly needsApproval: boolean;
  /** The id of the approver; 0 if not approved. */
  readonly approvedBy: number;
  /** The ids of the users who started each attempt, in order. */
  readonly starters: readonly number[];
}

/** A log line and its offset from the start of the step. */
export interface LogLine {
  readonly after: number;
  readonly text: string;
}

/** What a step will do. */
export interface StepPlan {
  readonly name: string;
  readonly lines: readonly LogLine[];
  /** The total time of its sleep commands. */
  readonly sleeps: number;
  readonly outcome: Outcome;
  readonly upload?: Upload | undefined;
}

/** An artifact that a step uploads. */
export interface Upload {
  readonly name: string;
  readonly files: readonly ArtifactFile[];
  /** Retention in days. */
  readonly days: number;
  /** The version of the upload action. The API does not list artifacts of version 3. */
  readonly generation: 3 | 4;
}

/** A file of an artifact: its text, or a number of incompressible bytes. */
export interface ArtifactFile {
  readonly path: string;
  readonly content: string | number;
}

/** What a job will do. */
export interface JobPlan {
  /** The key in the workflow file. */
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
  /** The runner labels it requires. */
  readonly labels: readonly string[];
  readonly steps: readonly StepPlan[];
  readonly outcome: Outcome;
}

/** A job of one attempt of a run. A time of null means never. */
export interface JobRecord extends JobPlan {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  readonly attempt: number;
  readonly created: number;
  /** When the jobs it needs were completed. */
  readonly ready: number | null;
  readonly start: number | null;
  readonly end: number | null;
  /** How long each step takes, in addition to its sleep commands. */
  readonly pace: number;
  readonly runnerId: number;
  /** Assigned when a runner takes the job. */
  readonly taskId: number;
  /** Whether the job was cancelled at `end`. */
  readonly cancelled: boolean;
}

/** A registered runner. */
export interface RunnerRecord {
  readonly id: number;
  readonly level: "server" | "owner" | "repository";
  /** The id of the owner or the repository; 0 for the server. */
  readonly of: number;
  readonly name: string;
  readonly labels: readonly string[];
  readonly disabled: boolean;
  /** Whether the runner has declared itself. */
  readonly online: boolean;
  /** When it was registered. It polls for jobs at regular intervals from then on. */
  readonly since: number;
  readonly ephemeral: boolean;
}

/** An artifact of a run. */
export interface ArtifactRecord extends Pick<Upload, "name" | "generation"> {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  /** 0 if it was not uploaded by a job. */
  readonly jobId: number;
  /** The files to zip, or an uploaded zip file in base64. */
  readonly content: readonly ArtifactFile[] | string;
  /** The size of the zip file in bytes. */
  readonly size: number;
  /** When the upload completed; the artifact is hidden before. */
  readonly created: number;
  readonly expires: number;
  /** Whether a cleanup has removed it after it expired. */
  readonly cleaned: boolean;
}

/** The level of a hook, a runner, a variable or a secret: a repository, or an owner (user or organization), by its id. */
export interface Place {
  readonly level: "repository" | "owner" | "server";
  readonly of: number;
}

/** A variable or a secret of Actions. The value of a secret is not stored: nothing reads it. */
export interface SettingRecord extends Place {
  readonly id: number;
  readonly kind: "variable" | "secret";
  /** In upper case. */
  readonly name: string;
  readonly value: string;
  readonly description: string;
  readonly created: string;
}
