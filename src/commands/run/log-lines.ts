import { StringDecoder } from "node:string_decoder";
import type { Job, Step } from "../../forge/jobs.ts";
import { isUnset } from "../../output/cells.ts";
import { integer, optional, record, string, time } from "../../shape/shape.ts";

/** One line of a job's log. */
export interface LogLine {
  /** RFC 3339 with seven digits, or "" where the line has none. */
  readonly time: string;
  readonly text: string;
}

/** What JSON output prints of a log: a line. */
export const logRecord = record({ job_id: integer, job: string, step: optional(string), time, text: string });

/** The lines of a log as it arrives. */
export async function* logLines(pieces: AsyncIterable<Buffer | string>): AsyncGenerator<LogLine, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of pieces) {
    rest += typeof piece === "string" ? piece : decoder.write(piece);
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parsed(line);
  }
  rest += decoder.end();
  if (rest !== "") yield parsed(rest);
}

function parsed(line: string): LogLine {
  const [, time, text] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (.*)$/s.exec(line) ?? [];
  return time === undefined ? { time: "", text: line } : { time, text: text ?? "" };
}

/** Steps that failed; none where a job failed before or beside them. */
export function failedSteps(job: Job): Step[] {
  return (job.steps ?? []).filter(({ conclusion }) => conclusion === "failure" || conclusion === "timed_out");
}

/**
 * Tells which step a line belongs to. A log does not mark its steps: their times do, in whole seconds, so where several
 * fall into one second the one that failed is taken. Lines of the set-up and the clean-up belong to none.
 */
export function stepTeller(job: Job): (line: LogLine) => Step | undefined {
  const ran = (job.steps ?? []).filter((step) => step.conclusion !== "skipped" && !isUnset(step.started_at));
  const spans = ran.map((step) => ({
    step,
    failed: step.conclusion === "failure",
    from: Date.parse(step.started_at),
    to: isUnset(step.completed_at) ? Number.POSITIVE_INFINITY : Date.parse(step.completed_at) + 1000,
  }));
  let phase: "steps" | "set-up" | "clean-up" = "steps";
  return ({ time, text }) => {
    // Some runners say this much of where they are.
    if (/^\s*⭐ Run Set up job/u.test(text)) phase = "set-up";
    else if (/^\s*⭐ Run Complete job|^Cleaning up container for job /u.test(text)) phase = "clean-up";
    else if (phase === "set-up" && /^\s*(✅|❌)\s+(Success|Failure) - Set up job/u.test(text)) phase = "steps";
    else if (phase === "steps" && !/received task \d+ of job|^workflow prepared$/.test(text)) return during(time);
    return undefined;
  };

  function during(time: string): Step | undefined {
    const at = Date.parse(time);
    const fitting = spans.filter(({ from, to }) => at >= from && at < to);
    return (fitting.find(({ failed }) => failed) ?? fitting.at(-1))?.step;
  }
}

/**
 * The lines of a failing step without those of the steps that shared a second with it, where the runner marks commands
 * (`##[group]Run …`, `##[error]Process completed …`): the last marked command up to its error. All of them elsewhere.
 */
export function failedCommand<T extends Pick<LogLine, "text">>(lines: readonly T[]): readonly T[] {
  const end = lines.findLastIndex(({ text }) => /^(##\[error\]|::error::)Process completed with exit code/.test(text));
  if (end < 0) return lines;
  const before = lines.slice(0, end + 1);
  const start = before.findLastIndex(({ text }) => /^(##\[group\]|::group::)Run /.test(text));
  return start < 0 ? lines : before.slice(start);
}
