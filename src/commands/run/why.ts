import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Job, jobLogs } from "../../forge/jobs.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { call } from "../../forge/operation.ts";
import { isFinished, isTask, readRun, runState } from "../../forge/run-or-task.ts";
import { type Run, run as runShape } from "../../forge/runs.ts";
import { NotFoundError } from "../../http/errors.ts";
import { when } from "../../output/cells.ts";
import { noColors } from "../../output/palette.ts";
import { type Infer, integer, list, nullable, optional, record, string } from "../../shape/shape.ts";
import { stateCell } from "./columns.ts";
import { findFailedSteps } from "./failed-steps.ts";
import { findRunRecord, runPage } from "./find.ts";
import { jobsOf } from "./find-job.ts";
import { failedCommand, type LogLine, logLines, stepFinder } from "./log-lines.ts";
import { displayText } from "./log-text.ts";
import { runSelector } from "./selector.ts";
import { whyWaiting } from "./why-waiting.ts";

/** Matches a line that may explain a failure. */
const errorPattern =
  /(^|[^a-z])(error|err!|fail(ed|ure)?|fatal|panic|exception|traceback|exit (code|status) [1-9]\d*|not found|denied|cannot|undefined reference|assert\w*|timed? ?out|no such file)([^a-z]|$)/i;
/** Matches a line that only states that something failed, or that nothing did. */
const noisePattern =
  /^(error: )?process completed with exit code|^exit (code|status) \d+$|\b(0|no) (errors?|failures?|failed)\b/i;

const linesAround = 2;
const maxLines = 20;

const failureShape = record({ job_id: integer, job: string, step: nullable(string), lines: list(string) });

/** `tongs run why`: what failed in a run, or what it is waiting for. */
export const why = defineCommand({
  summary: "Explain why a workflow run failed or is waiting",
  details:
    "Shows the last lines of each failed step that look like errors, and the last successful run of the same workflow " +
    "on the same branch. The JSON formats print run, failures, waiting and last_success.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  output: record({
    run: runShape,
    failures: list(failureShape),
    waiting: list(string),
    last_success: optional(nullable(runShape)),
  }),
  examples: [["Explain the newest run of the current branch", "tongs run why"]],
  async run(context) {
    const { out } = context;
    const run = await findRunRecord(
      { what: "explain a run", since: "1.25 and Forgejo 16.0" },
      context.args.run,
      context,
    );
    const jobs = await jobsOf(run, context);
    const failures: Infer<typeof failureShape>[] = [];
    for (const job of jobs) if (runState(job) === "failure") failures.push(await failureOf(job, context));
    const { title, number, sha } = readRun(run);
    const isOver = isFinished(run);
    const waiting = isOver ? [] : await whyWaiting(run, jobs, context);
    const lastSuccess = failures.length === 0 ? null : await lastSuccessBefore(run, context);
    const before = lastSuccess === null ? undefined : readRun(lastSuccess);
    await out.record({ run, failures, waiting, last_success: lastSuccess }, () => ({
      title: `${title} #${number}`.trimStart(),
      fields: [
        ["state", stateCell(runState(run))],
        ["failed", failures.map(({ job, step }) => (step === null ? job : `${job} / ${step}`)).join(", ")],
        ["last success", before && `#${before.number} (id ${lastSuccess?.id})`],
        ["last success at", before && when(before.completed)],
        [
          "changes",
          before === undefined || before.sha === sha ? undefined : `${before.sha.slice(0, 10)}...${sha.slice(0, 10)}`,
        ],
        ["url", runPage({ kind: "run", run }, context)],
      ],
      sections: [
        ...failures.map(({ job, step, lines }) => ({
          title: step === null ? job : `${job} / ${step}`,
          body: lines.join("\n"),
        })),
        ...(waiting.length === 0 ? [] : [{ title: "Waiting", body: waiting.join("\n") }]),
      ],
    }));
    if (before?.sha === sha) out.note("The last successful run was on the same commit.");
    if (failures.length === 0 && isOver) out.note("No jobs failed.");
  },
});

type WhyContext = RepositoryContext & Pick<BaseContext, "out">;

/**
 * The failed step of a job and its lines that look like errors. If the job failed outside its steps, the whole log is
 * read.
 */
export async function failureOf(job: Job, { http, repo, out }: WhyContext) {
  const lines: LogLine[] = [];
  let step: string | undefined;
  try {
    const { names, steps } = await findFailedSteps(job, () => jobLog(http, repo, job));
    [step] = names;
    const findStep = stepFinder(job, steps);
    for await (const line of jobLog(http, repo, job)) {
      const at = findStep(line);
      if (steps.size > 0 && (at === undefined || !steps.has(at))) continue;
      lines.push(line);
      if (lines.length > 4000) lines.splice(0, 2000);
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    out.note(`${job.name}: ${error.serverMessage || "no log available"}.`);
  }
  const shown = failedCommand(lines).flatMap(({ text }) => displayText(text, noColors)?.piped ?? []);
  return { job_id: job.id, job: job.name, step: step ?? null, lines: errorLines(shown) };
}

async function* jobLog(http: WhyContext["http"], repo: WhyContext["repo"], { id }: Job): AsyncGenerator<LogLine> {
  yield* logLines((await call(http, jobLogs, { repo, job_id: id })).body);
}

/** The newest successful run of the same workflow and branch before a run. */
async function lastSuccessBefore(run: Run, { http, repo }: RepositoryContext): Promise<Run | null> {
  const { workflow, branch, headBranch, number } = readRun(run);
  const filter = { workflow, status: ["success"], branch: headBranch };
  for await (const other of listRuns(http, { of: "repository", repo }, filter).take(100)) {
    if (isTask(other)) continue;
    const facts = readRun(other);
    if (facts.number < number && facts.branch === branch) return other;
  }
  return null;
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
