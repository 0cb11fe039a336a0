import { defineCommand } from "../../app/define.ts";
import { integer, text } from "../../command/flags.ts";
import { type Job, job, jobsApi } from "../../forge/jobs.ts";
import { branchOf, isTask, runState, workflowOf } from "../../forge/run-or-task.ts";
import { type Run, run, runsApi, type Task, task } from "../../forge/runs.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { duration, stateCell } from "./columns.ts";
import { failedSteps, hasStepResults } from "./failed-steps.ts";
import { findRun, runPage, runPath, stateOfTasks } from "./find.ts";
import { findJob, jobsOf } from "./find-job.ts";
import { runSelector } from "./selector.ts";
import { unsupported } from "./shared.ts";

/** `tongs run view`: GET one run and its jobs. */
export const view = defineCommand({
  summary: "View a workflow run and its jobs",
  details:
    "The JSON formats print the run's record with the added field job_list; with --job, the job's record. On a server " +
    "without run records (Forgejo), the fields are run_number and task_list.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  flags: {
    job: text("view this job and its steps (name, or ID, which needs no run)", { short: "j", placeholder: "JOB" }),
    attempt: integer("view this attempt", { short: "a", min: 1 }),
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
  web: { page: async (context) => runPath(await findRun(context.args.run, context), context) },
  async run(context) {
    const { flags, http, out, repo, system } = context;
    const id = context.args.run.by === "current" ? /^\d+$/.exec(flags.job ?? "") : null;
    if (id !== null)
      return out.record(await jobsApi(http).get(repo, Number(id[0])), (one) => jobSheet(one, system.now()));
    const found = await findRun(context.args.run, context);
    const now = system.now();
    if (found.kind === "tasks") {
      if (flags.job !== undefined)
        throw unsupported("view the steps of a job", runPage(found, context), context, "1.25");
      if (flags.attempt !== undefined) throw unsupported("view an attempt", runPage(found, context), context, "1.27");
      const shown = { run_number: found.number, task_list: found.tasks };
      return out.record(shown, () => tasksSheet(found.number, found.tasks, now));
    }
    const { attempt } = flags;
    const shown = attempt === undefined ? found.run : await runsApi(http).attempt(repo, found.run.id, attempt);
    const jobs = await jobsOf(found.run, context, attempt);
    if (flags.job !== undefined) {
      return out.record(findJob(flags.job, jobs, found.run), (one) => jobSheet(one, now));
    }
    await out.record({ ...shown, job_list: jobs }, () => runSheet(shown, jobs, now));
  },
});

/** A run and its jobs. */
function runSheet(run: Run, jobs: readonly Job[], now: Date): Sheet {
  return {
    title: `${run.display_title ?? ""} #${run.run_number}`.trimStart(),
    fields: [
      ["id", run.id],
      ["state", stateCell(runState(run))],
      ["workflow", workflowOf(run)],
      ["branch", styled("link", branchOf(run))],
      ["commit", run.head_sha],
      ["event", run.event],
      ["actor", run.actor?.login],
      [
        "attempt",
        run.run_attempt !== undefined && run.run_attempt > 1
          ? `${run.run_attempt}, by ${run.trigger_actor?.login ?? "?"}`
          : undefined,
      ],
      ["started", when(run.started_at)],
      ["duration", duration(run.started_at, run.completed_at, now)],
      ["url", styled("link", run.html_url)],
    ],
    sections: [{ title: "Jobs", body: jobs.map((job) => jobLine(job, now)).join("\n") }],
  };
}

/** A run on a server that has only tasks. */
function tasksSheet(number: number, tasks: readonly [Task, ...Task[]], now: Date): Sheet {
  const [first] = tasks;
  return {
    title: `${first.display_title ?? ""} #${number}`.trimStart(),
    fields: [
      ["state", stateCell(stateOfTasks(tasks))],
      ["workflow", first.workflow_id],
      ["branch", styled("link", first.head_branch)],
      ["commit", first.head_sha],
      ["event", first.event],
      ["started", when(first.run_started_at)],
      ["url", styled("link", first.url)],
    ],
    sections: [{ title: "Jobs", body: tasks.map((task) => jobLine(task, now)).join("\n") }],
  };
}

/** A job and its steps. */
function jobSheet(job: Job, now: Date): Sheet {
  // Only the log tells how the steps of a failed job ended if the server gives all of them its result.
  const isTold = runState(job) !== "failure" || hasStepResults(job);
  const steps = (job.steps ?? []).map((step) =>
    line(isTold ? runState(step) : step.status, step.name, duration(step.started_at, step.completed_at, now)),
  );
  return {
    title: job.name,
    fields: [
      ["id", job.id],
      ["run", job.run_id],
      ["state", stateCell(runState(job))],
      ["runs on", (job.labels ?? []).join(", ")],
      ["runner", job.runner_name],
      ["attempt", job.run_attempt !== undefined && job.run_attempt > 1 ? job.run_attempt : undefined],
      ["started", when(job.started_at)],
      ["duration", duration(job.started_at, job.completed_at, now)],
      ["url", styled("link", job.html_url)],
    ],
    sections: steps.length === 0 ? [] : [{ title: "Steps", body: steps.join("\n") }],
  };
}

function jobLine(job: Job | Task, now: Date): string {
  const time = isTask(job)
    ? duration(job.run_started_at, runState(job) === "in_progress" ? "" : job.updated_at, now)
    : duration(job.started_at, job.completed_at, now);
  const failed = isTask(job) ? [] : failedSteps(job).map(({ name }) => `failed in ${name}`);
  return line(runState(job), job.name, time, `id ${job.id}`, ...failed);
}

function line(state: string, name: string, ...rest: readonly string[]): string {
  const details = rest.filter((part) => part !== "");
  return `${state.padEnd(11)}  ${name}${details.length === 0 ? "" : `  (${details.join(", ")})`}`;
}
