import { defineCommand } from "../../app/define.ts";
import { durationOf, stateCell } from "../../app/runs/columns.ts";
import { failedSteps, hasStepResults } from "../../app/runs/failed-steps.ts";
import { findRun, recordOf, runPage, runPath, stateOfTasks } from "../../app/runs/find.ts";
import { areTasks, findJob, jobsOf, jobsOrTasksOf } from "../../app/runs/find-job.ts";
import { runSelector, typedRun } from "../../app/runs/selector.ts";
import { unsupported } from "../../app/web-instead.ts";
import { exactNumber, integer, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Job, job, jobGet } from "../../forge/jobs.ts";
import { call } from "../../forge/operation.ts";
import { readJob, stepState } from "../../forge/read-job.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import { run, runAttemptGet, runGet, type Task, task, taskList } from "../../forge/runs.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { quoted } from "../../text/words.ts";

/** `tongs run view`: GET one run and its jobs. */
export const view = defineCommand({
  summary: "View a workflow run and its jobs",
  details:
    "The JSON formats print the run's record with the added field job_list, or task_list on a server without lists of " +
    "jobs; with --job, the job's record. On a server without run records, the fields are run_number and task_list.",
  on: "repository",
  needs: [[runGet, taskList]],
  effect: "read",
  args: { run: runSelector },
  flags: {
    job: text("view this job and its steps (name, or ID, which needs no run)", { short: "j", placeholder: "JOB" }),
    attempt: integer("view this attempt", { short: "a", min: 1, needs: [runAttemptGet] }),
    log: toggle("run logs", { hidden: true }),
    logFailed: toggle("run logs --failed", { hidden: true }),
  },
  output: record({
    ...run.fields,
    job_list: optional(list(job)),
    task_list: optional(list(task)),
    ...Object.fromEntries(
      Object.entries(job.fields)
        .filter(([name]) => !(name in run.fields))
        .map(([name, shape]) => [name, optional(shape)]),
    ),
  }),
  examples: [
    ["View the newest run of the current branch", "tongs run view"],
    ["View run number 7 of the repository", "tongs run view '#7'"],
    ["View the steps of a job", "tongs run view 31 --job build"],
    ["View a job by its ID", "tongs run view --job 214"],
  ],
  web: { page: async (context) => runPath(recordOf(await findRun(context.args.run, context)), context) },
  async run(context) {
    const { flags, http, out, repo, system } = context;
    if (flags.log || flags.logFailed) {
      const instead = [
        "tongs run logs",
        ...[typedRun(context.args.run) ?? []].flat(),
        ...(flags.job === undefined ? [] : [`--job ${quoted(flags.job)}`]),
        ...(flags.logFailed ? ["--failed"] : []),
      ];
      throw new UsageError(
        `--${flags.log ? "log" : "log-failed"} is a command of its own`,
        `Run: ${instead.join(" ")}`,
      );
    }
    const id = context.args.run.by === "current" ? /^\d+$/.exec(flags.job ?? "") : null;
    if (id !== null)
      return out.record(await call(http, jobGet, { repo, job_id: exactNumber(id[0]) }), (one) =>
        jobSheet(one, system.now()),
      );
    const found = await findRun(context.args.run, context);
    const now = system.now();
    if (found.kind === "tasks") {
      if (flags.job !== undefined)
        throw unsupported("view the steps of a job", runPage(found.tasks[0], context), context, jobGet);
      if (flags.attempt !== undefined)
        throw unsupported("view an attempt", runPage(found.tasks[0], context), context, runAttemptGet);
      const shown = { run_number: found.number, task_list: found.tasks };
      return out.record(shown, () => runSheet(found.tasks[0], found.tasks, stateOfTasks(found.tasks), now));
    }
    const { attempt } = flags;
    const shown =
      attempt === undefined ? found.run : await call(http, runAttemptGet, { repo, run: found.run.id, attempt });
    if (flags.job !== undefined) {
      const only = findJob(flags.job, await jobsOf(found.run, context, attempt), found.run);
      return out.record(only, (one) => jobSheet(one, now));
    }
    const jobs = await jobsOrTasksOf(found.run, context, attempt);
    const record = { ...shown, ...(areTasks(jobs) ? { task_list: jobs } : { job_list: jobs }) };
    await out.record(record, () => runSheet(shown, jobs, readRun(shown).state, now));
  },
});

/** A run and its jobs; on a server without run records, the first of its tasks. */
function runSheet(record: RunOrTask, jobs: readonly (Job | Task)[], state: string, now: Date): Sheet {
  const run = readRun(record);
  const { attempt } = run;
  return {
    title: `${run.title} #${run.number}`.trimStart(),
    fields: [
      ["id", isTask(record) ? undefined : record.id],
      ["state", stateCell(state)],
      ["workflow", run.workflow],
      ["branch", styled("link", run.branch)],
      ["commit", run.sha],
      ["event", run.event],
      ["actor", run.actor],
      ["attempt", attempt !== undefined && attempt > 1 ? `${attempt}, by ${run.rerunBy ?? "?"}` : undefined],
      ["started", when(run.started)],
      ["duration", isTask(record) ? undefined : durationOf(run, now)],
      ["url", styled("link", run.url)],
    ],
    sections: [{ title: "Jobs", body: jobs.map((job) => jobLine(job, now)).join("\n") }],
  };
}

/** A job and its steps. */
function jobSheet(job: Job, now: Date): Sheet {
  const facts = readJob(job);
  const { attempt } = facts;
  // Only the log tells how the steps of a failed job ended if the server gives all of them its result.
  const isTold = facts.state !== "failure" || hasStepResults(job);
  const steps = facts.steps.map((step) => {
    const times = { started: step.started_at, completed: step.completed_at };
    return line(isTold ? stepState(step) : step.status, step.name, durationOf(times, now));
  });
  return {
    title: job.name,
    fields: [
      ["id", job.id],
      ["run", job.run_id],
      ["state", stateCell(facts.state)],
      ["runs on", facts.labels.join(", ")],
      ["runner", facts.runner],
      ["attempt", attempt !== undefined && attempt > 1 ? attempt : undefined],
      ["started", when(facts.started)],
      ["duration", durationOf(facts, now)],
      ["url", styled("link", facts.url)],
    ],
    sections: steps.length === 0 ? [] : [{ title: "Steps", body: steps.join("\n") }],
  };
}

function jobLine(job: Job | Task, now: Date): string {
  const facts = readJob(job);
  const failed = isTask(job) ? [] : failedSteps(job).map(({ name }) => `failed in ${name}`);
  return line(facts.state, job.name, durationOf(facts, now), `id ${job.id}`, ...failed);
}

function line(state: string, name: string, ...rest: readonly string[]): string {
  const details = rest.filter((part) => part !== "");
  return `${state.padEnd(11)}  ${name}${details.length === 0 ? "" : `  (${details.join(", ")})`}`;
}
