import { StringDecoder } from "node:string_decoder";
import type { Job, Step } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { integer, isUnset, optional, record, string, time } from "../../shape/shape.ts";

/** One line of a job's log. */
export interface LogLine {
  /** In RFC 3339 with seven fractional digits, or "" if the line has no time. */
  readonly time: string;
  readonly text: string;
}

/** The record of a log line in JSON output. */
export const logRecord = record({ job_id: integer, job: string, step: optional(string), time, text: string });

/** The longest line in characters: longer ones are cut into several. A string in Node has at most 2^29. */
const maxLine = 64 * 1024 * 1024;

/** Cuts a log that arrives in pieces into lines. */
export interface LineCutter {
  /** The lines that a piece completes. */
  push(piece: Buffer): Generator<LogLine, void, undefined>;
  /** The unfinished line at the end of the log, if any. */
  end(): Generator<LogLine, void, undefined>;
}

/** Creates a `LineCutter`. Takes time in proportion to the log's length, also for one long line. */
export function lineCutter(): LineCutter {
  const decoder = new StringDecoder("utf8");
  let pending: string[] = [];
  let length = 0;

  function* take(text: string): Generator<LogLine, void, undefined> {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      pending.push(text.slice(from, end));
      from = end + 1;
      yield whole();
    }
    if (from === text.length) return;
    pending.push(text.slice(from));
    length += text.length - from;
    if (length >= maxLine) yield whole();
  }
  function whole(): LogLine {
    const line = pending.join("");
    pending = [];
    length = 0;
    return parsed(line);
  }
  return {
    push: (piece) => take(decoder.write(piece)),
    *end() {
      yield* take(decoder.end());
      if (pending.length > 0) yield whole();
    },
  };
}

/** The lines of a log, as they arrive. */
export async function* logLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<LogLine, void, undefined> {
  const lines = lineCutter();
  for await (const piece of pieces) yield* lines.push(piece);
  yield* lines.end();
}

function parsed(line: string): LogLine {
  const [start, time] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) /.exec(line) ?? [];
  return start === undefined || time === undefined
    ? { time: "", text: line }
    : { time, text: line.slice(start.length) };
}

/** The steps that ran, and when, in milliseconds. Their times are in whole seconds, so one ends up to a second later. */
export function stepSpans(job: Job): { readonly step: Step; readonly from: number; readonly to: number }[] {
  const ran = readJob(job).steps.filter((step) => step.conclusion !== "skipped" && !isUnset(step.started_at));
  return ran.map((step) => ({
    step,
    from: Date.parse(step.started_at ?? ""),
    to: isUnset(step.completed_at) ? Number.POSITIVE_INFINITY : Date.parse(step.completed_at ?? "") + 1000,
  }));
}

/** Whether a runner's line starts a command: `##[group]Run …`. */
export const isStart = (text: string) => /^(##\[group\]|::group::)Run /.test(text);

/** Whether a runner's line says that a command failed: `##[error]Process completed with exit code 1.` */
export const isFailure = (text: string) => /^(##\[error\]|::error::)Process completed with exit code/.test(text);

/**
 * Returns a function that finds the step a line belongs to. Logs do not mark their steps, so the times of lines and steps
 * are compared. Steps have times in whole seconds: if several steps share a second, a failed one is returned. Lines of
 * the job's setup and cleanup belong to no step.
 */
export function stepFinder(job: Job, failed: ReadonlySet<Step>): (line: LogLine) => Step | undefined {
  const spans = stepSpans(job);
  let phase: "steps" | "setup" | "cleanup" = "steps";
  return ({ time, text }) => {
    // Some runners mark the job's setup and cleanup.
    if (/^\s*⭐ Run Set up job/u.test(text)) phase = "setup";
    else if (/^\s*⭐ Run Complete job|^Cleaning up container for job /u.test(text)) phase = "cleanup";
    else if (phase === "setup" && /^\s*(✅|❌)\s+(Success|Failure) - Set up job/u.test(text)) phase = "steps";
    else if (phase === "steps" && !/received task \d+ of job|^workflow prepared$/.test(text)) return during(time);
    return undefined;
  };

  function during(time: string): Step | undefined {
    const at = Date.parse(time);
    const matching = spans.filter(({ from, to }) => at >= from && at < to);
    return (matching.find(({ step }) => failed.has(step)) ?? matching.at(-1))?.step;
  }
}

/**
 * The lines of the command that failed, where the runner marks commands (`##[group]Run …`, `##[error]Process completed
 * …`). This leaves out lines of other steps in the same second. Returns all lines if there are no such marks.
 */
export function failedCommand<T extends Pick<LogLine, "text">>(lines: readonly T[]): readonly T[] {
  const end = lines.findLastIndex(({ text }) => isFailure(text));
  if (end < 0) return lines;
  const before = lines.slice(0, end + 1);
  const start = before.findLastIndex(({ text }) => isStart(text));
  return start < 0 ? lines : before.slice(start);
}
