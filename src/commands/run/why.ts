import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { stateCell } from "../../app/runs/columns.ts";
import { findRunRecord, runPage } from "../../app/runs/find.ts";
import { jobsOf } from "../../app/runs/find-job.ts";
import { failureOf, failureShape } from "../../app/runs/job-failure.ts";
import { runSelector } from "../../app/runs/selector.ts";
import { runJobList } from "../../forge/jobs.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { readJob } from "../../forge/read-job.ts";
import { isTask, readRun } from "../../forge/read-run.ts";
import { type Run, run as runShape } from "../../forge/runs.ts";
import { when } from "../../output/cells.ts";
import { type Infer, list, nullable, optional, record, string } from "../../shape/shape.ts";
import { whyWaiting } from "./why-waiting.ts";

/** `tongs run why`: what failed in a run, or what it is waiting for. */
export const why = defineCommand({
  summary: "Explain why a workflow run failed or is waiting",
  details:
    "Shows the last lines of each failed step that look like errors, and the last successful run of the same workflow " +
    "on the same branch. The JSON formats print run, failures, waiting and last_success.",
  on: "repository",
  needs: [runJobList],
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
    const run = await findRunRecord("explain a run", runJobList, context.args.run, context);
    const jobs = await jobsOf(run, context);
    const failures: Infer<typeof failureShape>[] = [];
    for (const job of jobs) if (readJob(job).state === "failure") failures.push(await failureOf(job, context));
    const { title, number, sha, state, isFinished } = readRun(run);
    const waiting = isFinished ? [] : await whyWaiting(run, jobs, context);
    const lastSuccess = failures.length === 0 ? null : await lastSuccessBefore(run, context);
    const before = lastSuccess === null ? undefined : readRun(lastSuccess);
    await out.record({ run, failures, waiting, last_success: lastSuccess }, () => ({
      title: `${title} #${number}`.trimStart(),
      fields: [
        ["state", stateCell(state)],
        ["failed", failures.map(({ job, step }) => (step === null ? job : `${job} / ${step}`)).join(", ")],
        ["last success", before && `#${before.number} (id ${lastSuccess?.id})`],
        ["last success at", before && when(before.completed)],
        [
          "changes",
          before === undefined || before.sha === sha ? undefined : `${before.sha.slice(0, 10)}...${sha.slice(0, 10)}`,
        ],
        ["url", runPage(run, context)],
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
    if (failures.length === 0 && isFinished) out.note("No jobs failed.");
  },
});

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
