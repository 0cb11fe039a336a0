import { defineCommand } from "../../app/define.ts";
import { runName } from "../../app/runs/columns.ts";
import { findRunRecord, runPage } from "../../app/runs/find.ts";
import { findJob, jobsOf } from "../../app/runs/find-job.ts";
import { requiredRun } from "../../app/runs/selector.ts";
import { withStateErrors } from "../../app/runs/state-errors.ts";
import { orWebPage } from "../../app/web-instead.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { readRun } from "../../forge/read-run.ts";
import { jobRerun, run, runGet, runRerun, runRerunFailed } from "../../forge/runs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs run rerun`: POST a new attempt of a run, of its failed jobs, or of one job. */
export const rerun = defineCommand({
  summary: "Rerun a workflow run",
  details: "Cancelled jobs count as failed. Jobs that depend on a rerun job also run again.",
  on: "repository",
  needs: [runRerun],
  effect: "write",
  args: { run: requiredRun },
  flags: {
    failed: toggle("rerun only the failed jobs"),
    job: text("rerun only this job (name or ID)", { short: "j", placeholder: "JOB" }),
  },
  exclusive: [["failed", "job"]],
  output: run,
  examples: [
    ["Rerun the failed jobs", "tongs run rerun latest --failed"],
    ["Rerun, and watch the run", "tongs run rerun 31 && tongs run watch 31"],
  ],
  async run(context) {
    const { flags, http, out, repo, server } = context;
    const found = await findRunRecord("rerun a run", runRerun, context.args.run, context);
    const page = runPage(found, context);
    const send = <T>(work: () => Promise<T>) =>
      orWebPage("rerun a run", page, context, () =>
        withStateErrors({ ...readRun(found), id: found.id }, context, work),
      );
    const name = runName(fullName(repo), found);
    let what = "";
    if (flags.job !== undefined) {
      const job = findJob(flags.job, await jobsOf(found, context), found);
      await send(() => call(http, jobRerun, { repo, run: found.id, job_id: job.id }));
      what = `job ${job.name} of `;
    } else if (flags.failed) {
      await send(() => call(http, runRerunFailed, { repo, run: found.id }));
      // Gitea 1.26 accepts this, and does nothing, if no job failed.
      const [before, after] = [readRun(found), readRun(await call(http, runGet, { repo, run: found.id }))];
      // A short one can end in the same second again.
      if (after.isFinished && after.completed === before.completed && after.attempt === before.attempt)
        throw new Failure("wrong_state", `${name} has no failed jobs`);
      what = "the failed jobs of ";
    } else await send(() => call(http, runRerun, { repo, run: found.id }));
    await out.done(`Requested rerun of ${what}${name} ${accountLabel(server)}`, {
      record: () => call(http, runGet, { repo, run: found.id }),
    });
  },
});
