import { type Job, jobLogs } from "../../forge/jobs.ts";
import { call } from "../../forge/operation.ts";
import { NotFoundError } from "../../http/errors.ts";
import { noColors } from "../../output/palette.ts";
import { integer, list, nullable, record, string } from "../../shape/shape.ts";
import type { BaseContext, RepositoryContext } from "../context.ts";
import { findFailedSteps } from "./failed-steps.ts";
import { failedCommand, type LogLine, logLines, stepFinder } from "./log-lines.ts";
import { displayText } from "./log-text.ts";

/** Matches a line that may explain a failure. */
const errorPattern =
  /(^|[^a-z])(error|err!|fail(ed|ure)?|fatal|panic|exception|traceback|exit (code|status) [1-9]\d*|not found|denied|cannot|undefined reference|assert\w*|timed? ?out|no such file)([^a-z]|$)/i;
/** Matches a line that only states that something failed, or that nothing did. */
const noisePattern =
  /^(error: )?process completed with exit code|^exit (code|status) \d+$|\b(0|no) (errors?|failures?|failed)\b/i;

const linesAround = 2;
const maxLines = 20;

/** Why a job failed, in JSON output. */
export const failureShape = record({ job_id: integer, job: string, step: nullable(string), lines: list(string) });

type WhyContext = RepositoryContext & Pick<BaseContext, "out">;

/**
 * The failed step of a job and its lines that look like errors. If the job failed outside its steps, the whole log is
 * read.
 */
export async function failureOf(job: Job, context: WhyContext) {
  const lines: LogLine[] = [];
  let step: string | undefined;
  try {
    const { names, steps } = await findFailedSteps(job, () => jobLog(context, job));
    [step] = names;
    const findStep = stepFinder(job, steps);
    for await (const line of jobLog(context, job)) {
      const at = findStep(line);
      if (steps.size > 0 && (at === undefined || !steps.has(at))) continue;
      lines.push(line);
      if (lines.length > 4000) lines.splice(0, 2000);
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    context.out.note(`${job.name}: ${error.serverMessage || "no log available"}.`);
  }
  const shown = failedCommand(lines).flatMap(({ text }) => displayText(text, noColors)?.piped ?? []);
  return { job_id: job.id, job: job.name, step: step ?? null, lines: errorLines(shown) };
}

/** The lines of a job's log, as they arrive. */
export async function* jobLog({ http, repo }: RepositoryContext, { id }: Job): AsyncGenerator<LogLine> {
  yield* logLines((await call(http, jobLogs, { repo, job_id: id })).body);
}

/**
 * The lines of a failed step that most likely explain the failure: the last lines that look like errors with two lines
 * around each, or else the last lines of the step. At most twenty.
 */
function errorLines(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const hits = filled.flatMap((line, index) =>
    errorPattern.test(line) && !noisePattern.test(line.trim()) ? [index] : [],
  );
  if (hits.length === 0) return filled.slice(-10);
  const chosen = new Set<number>();
  for (const hit of hits.reverse()) {
    const around = Array.from({ length: 2 * linesAround + 1 }, (_, offset) => hit - linesAround + offset);
    const fresh = around.filter((index) => index >= 0 && index < filled.length && !chosen.has(index));
    if (chosen.size + fresh.length > maxLines) break;
    for (const index of fresh) chosen.add(index);
  }
  return [...chosen].sort((one, other) => one - other).flatMap((index) => filled[index] ?? []);
}
