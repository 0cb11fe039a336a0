import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import type { Job } from "../../forge/jobs.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { branchOf, isTask, runState, workflowOf } from "../../forge/run-or-task.ts";
import { type Run, run as runShape } from "../../forge/runs.ts";
import { NotFoundError } from "../../http/errors.ts";
import { when } from "../../output/cells.ts";
import { noColors } from "../../output/palette.ts";
import { type Infer, integer, list, nullable, optional, record, string } from "../../shape/shape.ts";
import { decisiveLines } from "./decisive.ts";
import { jobsOf } from "./jobs-of.ts";
import { failedCommand, failedSteps, type LogLine, logLines, stepTeller } from "./log-lines.ts";
import { shownText } from "./log-text.ts";
import { stateCell } from "./look.ts";
import { runSelector } from "./selector.ts";
import { findRunFor, runPage } from "./unsupported.ts";
import { whyWaiting } from "./why-waiting.ts";

const failureShape = record({ job_id: integer, job: string, step: nullable(string), lines: list(string) });

/** `tongs run why`: what failed and where, or what a run waits for. */
export const why = defineCommand({
  summary: "Explain why a workflow run failed, or why it waits",
  details:
    "The telling lines are those near the end of the failing step that look like errors. Beside them stands the last " +
    "good run of the same workflow on the same branch. The JSON forms print the run, failures, waiting and last_success.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  output: record({
    run: runShape,
    failures: list(failureShape),
    waiting: list(string),
    last_success: optional(nullable(runShape)),
  }),
  examples: [["The current branch's newest", "tongs run why"]],
  async run(context) {
    const { out } = context;
    const run = await findRunFor("explain a run", context.args.run, context);
    const jobs = await jobsOf(run, context);
    const failures: Infer<typeof failureShape>[] = [];
    for (const job of jobs) if (runState(job) === "failure") failures.push(await failureOf(job, context));
    const waiting = run.status === "completed" ? [] : await whyWaiting(run, jobs, context);
    const good = failures.length === 0 ? null : await lastGood(run, context);
    await out.record({ run, failures, waiting, last_success: good }, () => ({
      title: `${run.display_title} #${run.run_number}`,
      fields: [
        ["state", stateCell(runState(run))],
        ["failed", failures.map(({ job, step }) => (step === null ? job : `${job} / ${step}`)).join(", ")],
        ["last good", good === null ? undefined : `#${good.run_number} (id ${good.id})`],
        ["good until", good === null ? undefined : when(good.completed_at)],
        [
          "changed",
          good === null || good.head_sha === run.head_sha
            ? undefined
            : `${good.head_sha.slice(0, 10)}...${run.head_sha.slice(0, 10)}`,
        ],
        ["url", runPage({ kind: "run", run }, context)],
      ],
      sections: [
        ...failures.map(({ job, step, lines }) => ({
          title: step === null ? job : `${job} / ${step}`,
          body: lines.join("\n"),
        })),
        ...(waiting.length === 0 ? [] : [{ title: "It waits", body: waiting.join("\n") }]),
      ],
    }));
    if (good !== null && good.head_sha === run.head_sha) out.note("The last good run was of the same commit.");
    if (failures.length === 0 && run.status === "completed") out.note("No job of it failed.");
  },
});

type WhyContext = RepositoryContext & Pick<BaseContext, "out">;

/** The failing step of a job and the lines that tell. A job that failed outside its steps has all of its log read. */
async function failureOf(job: Job, { forge, repo, out }: WhyContext) {
  const failing = new Set(failedSteps(job));
  const [step] = failing;
  const lines: LogLine[] = [];
  try {
    const tell = stepTeller(job);
    for await (const line of logLines((await forge.jobs.log(repo, job.id)).body)) {
      const at = tell(line);
      if (failing.size > 0 && (at === undefined || !failing.has(at))) continue;
      lines.push(line);
      if (lines.length > 4000) lines.splice(0, 2000);
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    out.note(`${job.name}: ${error.serverMessage || "there is no log"}.`);
  }
  const shown = failedCommand(lines).flatMap(({ text }) => shownText(text, noColors) ?? []);
  return { job_id: job.id, job: job.name, step: step?.name ?? null, lines: decisiveLines(shown) };
}

/** The newest good run before it, of the same workflow and branch. */
async function lastGood(run: Run, { forge, repo }: RepositoryContext): Promise<Run | null> {
  const filter = { workflow: workflowOf(run), status: ["success"], branch: run.head_branch || undefined };
  for await (const other of listRuns(forge, { of: "repository", repo }, filter).take(100)) {
    if (!isTask(other) && other.run_number < run.run_number && branchOf(other) === branchOf(run)) return other;
  }
  return null;
}
