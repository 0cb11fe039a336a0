import { defineCommand } from "../../app/define.ts";
import { jobColumns, jobCsvFields, runColumns } from "../../app/runs/columns.ts";
import { findRun, recordOf, runPage, runPath } from "../../app/runs/find.ts";
import { jobsOf } from "../../app/runs/find-job.ts";
import { runSelector } from "../../app/runs/selector.ts";
import { levelFlagsOf, levelOf } from "../../app/shared.ts";
import { orWebPage, unsupported } from "../../app/web-instead.ts";
import { choicesOf, integer, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { attemptJobList, type Job, job, jobList } from "../../forge/jobs.ts";
import { call } from "../../forge/operation.ts";
import { giteaStatusesOf } from "../../forge/run-states.ts";
import { runGet, taskList } from "../../forge/runs.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { runStatuses } from "./filters.ts";

/** `tongs run jobs`: GET the jobs of a run, or those of all runs of a repository, a user, an organization or the server. */
export const jobs = defineCommand({
  summary: "List the jobs of a workflow run",
  details: "With --all-runs, --user, --org or --admin, lists the jobs of all runs and attempts there, newest first.",
  on: "server",
  needs: [[runGet, taskList]],
  effect: "read",
  lists: ["job", "jobs"],
  args: { run: runSelector },
  flags: {
    attempt: integer("list the jobs of this attempt", { short: "a", min: 1, needs: [attemptJobList] }),
    allRuns: toggle("list the jobs of all runs of the repository", { needs: [{ ...jobList, levels: ["repository"] }] }),
    state: choicesOf(runStatuses, "filter by state", { short: "s", filters: true, aliases: [{ name: "status" }] }),
    ...levelFlagsOf(jobList),
  },
  exclusive: [["org", "user", "admin", "allRuns"]],
  output: list(job),
  examples: [
    ["List the jobs of the newest run", "tongs run jobs latest"],
    ["Show which runner ran each job", "tongs run jobs 31 --json name,runner_name"],
    ["List the jobs that wait for a runner anywhere on the server", "tongs run jobs --admin --state waiting"],
  ],
  web: {
    page: async (context) => {
      const inRepo = { ...context, repo: await context.locate() };
      return runPath(recordOf(await findRun(context.args.run, inRepo)), inRepo);
    },
  },
  async run(context) {
    const { args, flags, http, out, system } = context;
    const now = system.now();
    const status = flags.state.length > 0 ? giteaStatusesOf(flags.state) : undefined;
    if (flags.allRuns || flags.user || flags.admin || flags.org !== undefined) {
      if (args.run.by !== "current" || flags.attempt !== undefined) {
        throw new UsageError("Specify either a run, or --all-runs, --user, --org or --admin");
      }
      const level = await levelOf(flags, context);
      const columns = jobColumns(now);
      const ofRun = column<Job>("RUN", "run_id");
      return out.list(
        call(http, jobList, { level, status, sort: "id", order: "desc" }),
        [...columns.slice(0, 1), ofRun, ...columns.slice(1)],
        {
          csvFields: ["id", "run_id", ...jobCsvFields.slice(1)],
        },
      );
    }
    if (status !== undefined) throw new UsageError("--state requires --all-runs, --user, --org or --admin");
    const inRepo = { ...context, repo: await context.locate() };
    const found = await findRun(args.run, inRepo);
    if (found.kind === "tasks") {
      if (flags.attempt !== undefined)
        throw unsupported("view an attempt", runPage(recordOf(found), inRepo), context, attemptJobList);
      return out.list(found.tasks, runColumns, { unlimited: true });
    }
    const page = runPage(recordOf(found), inRepo);
    const jobs = await orWebPage("list the jobs of a run", page, context, () =>
      jobsOf(found.run, inRepo, flags.attempt),
    );
    await out.list(jobs, jobColumns(now), { unlimited: true, csvFields: jobCsvFields });
  },
});
