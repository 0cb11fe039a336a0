import { defineCommand } from "../../app/define.ts";
import { integer, text, toggle } from "../../command/flags.ts";
import { job } from "../../forge/jobs.ts";
import { run, task } from "../../forge/runs.ts";
import { list, optional, record } from "../../shape/shape.ts";
import { findRun } from "./find.ts";
import { findJob, jobsOf } from "./jobs-of.ts";
import { runSelector } from "./selector.ts";
import { jobSheet, runSheet, tasksSheet } from "./sheet.ts";
import { runPage, unsupported } from "./unsupported.ts";

/** `tongs run view`: GET one run and its jobs. */
export const view = defineCommand({
  summary: "Show a workflow run and its jobs",
  details:
    "The JSON forms print the run's record with one added key, job_list; with --job the job's record. Where a server " +
    "has no run records (Forgejo) it is run_number and task_list.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  flags: {
    job: text("this job and its steps: its name or id", { short: "j", placeholder: "JOB" }),
    attempt: integer("as it was in this attempt", { short: "a", min: 1 }),
    web: toggle("open it in the browser", { short: "w" }),
  },
  exclusive: [
    ["job", "web"],
    ["attempt", "web"],
  ],
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
    ["The current branch's newest run", "tongs run view"],
    ["Number 7 of this repository", "tongs run view '#7'"],
    ["The steps of one job", "tongs run view 31 --job build"],
  ],
  async run(context) {
    const { flags, forge, out, repo, system } = context;
    const found = await findRun(context.args.run, context);
    if (flags.web) {
      const { openPage } = await import("../../output/browser.ts");
      const page = runPage(found, context);
      out.note(`Opening ${page}`);
      return openPage(system, page);
    }
    const now = system.now();
    if (found.kind === "tasks") {
      if (flags.job !== undefined) throw unsupported("show a job's steps", runPage(found, context), context);
      if (flags.attempt !== undefined) throw unsupported("show an attempt", runPage(found, context), context);
      const shown = { run_number: found.number, task_list: found.tasks };
      return out.record(shown, () => tasksSheet(found.number, found.tasks, now));
    }
    const { attempt } = flags;
    const shown = attempt === undefined ? found.run : await forge.runs.attempt(repo, found.run.id, attempt);
    const jobs = await jobsOf(found.run, context, attempt);
    if (flags.job !== undefined) {
      return out.record(findJob(flags.job, jobs, found.run), (one) => jobSheet(one, now));
    }
    await out.record({ ...shown, job_list: jobs }, () => runSheet(shown, jobs, now));
  },
});
