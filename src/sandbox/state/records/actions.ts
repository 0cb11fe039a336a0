/** How a job or a step is going to end. All is known when a run begins; time only shows it. */
export type Outcome = "success" | "failure" | "skipped";

/** A run of a workflow; what it does is in its jobs. Times of Actions are milliseconds since 1970. */
export interface RunRecord {
  readonly id: number;
  readonly repoId: number;
  /** Counts in the repository, and is never given twice. */
  readonly number: number;
  /** The file's name without folder. */
  readonly workflow: string;
  readonly event: string;
  /** The full ref. */
  readonly ref: string;
  readonly sha: string;
  readonly title: string;
  /** The `name` of its file at that time, or the file's own. */
  readonly name: string;
  /** The pull request that it is of, in the repository; 0 for other events. */
  readonly pull: number;
  /** Waits until somebody approves it: a pull request from a fork, by somebody new. */
  readonly needsApproval: boolean;
  /** Who did; 0 for nobody. */
  readonly approvedBy: number;
  /** Who started each attempt, the first one first. */
  readonly starters: readonly number[];
}

/** What a step writes, and how long after its beginning. */
export interface LogLine {
  readonly after: number;
  readonly text: string;
}

export interface StepPlan {
  readonly name: string;
  readonly lines: readonly LogLine[];
  /** How long its commands sleep. */
  readonly sleeps: number;
  readonly outcome: Outcome;
  readonly upload?: Upload | undefined;
}

/** What a step uploads: an artifact's name and files. */
export interface Upload {
  readonly name: string;
  readonly files: readonly ArtifactFile[];
  /** For how many days it is kept. */
  readonly days: number;
  /** Those of the third generation exist, but the API does not show them. */
  readonly generation: 3 | 4;
}

/** A file of an artifact: its text, or how many random bytes it has. */
export interface ArtifactFile {
  readonly path: string;
  readonly content: string | number;
}

export interface JobPlan {
  /** Its key in the file. */
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
  /** What it asks of a runner. */
  readonly labels: readonly string[];
  readonly steps: readonly StepPlan[];
  readonly outcome: Outcome;
}

/** A job of one attempt of a run, with the times at which things happen to it; null is never. */
export interface JobRecord extends JobPlan {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  readonly attempt: number;
  readonly created: number;
  /** What it needs is done. */
  readonly ready: number | null;
  readonly start: number | null;
  readonly end: number | null;
  /** How long each step takes besides its sleeps. */
  readonly pace: number;
  readonly runnerId: number;
  /** Given when a runner takes it. */
  readonly taskId: number;
  /** It was cancelled, and that was its end. */
  readonly cancelled: boolean;
}

export interface RunnerRecord {
  readonly id: number;
  readonly level: "server" | "owner" | "repository";
  /** The owner or the repository; 0 for the server. */
  readonly of: number;
  readonly name: string;
  readonly labels: readonly string[];
  readonly disabled: boolean;
  /** It has said that it is there. */
  readonly online: boolean;
  /** When it came; it asks for jobs at regular times from then on. */
  readonly since: number;
  readonly ephemeral: boolean;
}

export interface ArtifactRecord extends Pick<Upload, "name" | "generation"> {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  /** 0 when no job of the run made it. */
  readonly jobId: number;
  /** What is zipped, or a zip file as it came, in base64. */
  readonly content: readonly ArtifactFile[] | string;
  /** Of the zip file, in bytes. */
  readonly size: number;
  /** When its upload is done; before, nobody sees it. */
  readonly created: number;
  readonly expires: number;
  /** A clean-up has found it past its time. */
  readonly cleaned: boolean;
}
