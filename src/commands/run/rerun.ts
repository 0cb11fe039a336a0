import { defineCommand } from "../../app/define.ts";
import { text, toggle } from "../../command/flags.ts";
import { workflowOf } from "../../forge/run-or-task.ts";
import { run } from "../../forge/runs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { runName } from "./columns.ts";
import { findRunFor } from "./find.ts";
import { findJob, jobsOf } from "./find-job.ts";
import { requiredRun } from "./selector.ts";
import { inState } from "./shared.ts";

/** `tongs run rerun`: POST a new attempt of a run, of its failed jobs, or of one job. */
export const rerun = defineCommand({
  summary: "Run a workflow run again",
  details: "Cancelled jobs count as failed. What needs a job runs again with it.",
  on: "repository",
  effect: "write",
  args: { run: requiredRun },
  flags: {
    failed: toggle("only the jobs that failed"),
    job: text("only this job: its name or id", { short: "j", placeholder: "JOB" }),
  },
  exclusive: [["failed", "job"]],
  output: run,
  examples: [
    ["What failed, once more", "tongs run rerun latest --failed"],
    ["And wait for it", "tongs run rerun 31 && tongs run watch 31"],
  ],
  async run(context) {
    const { flags, forge, out, repo, server } = context;
    const found = await findRunFor("run a run again", context.args.run, context);
    const now = <T>(work: () => Promise<T>) => inState(workflowOf(found), work);
    let what = "";
    if (flags.job !== undefined) {
      const job = findJob(flags.job, await jobsOf(found, context), found);
      await now(() => forge.runs.rerunJob(repo, found.id, job.id));
      what = `the job ${job.name} of `;
    } else if (flags.failed) {
      await now(() => forge.runs.rerunFailed(repo, found.id));
      what = "the failed jobs of ";
    } else await now(() => forge.runs.rerun(repo, found.id));
    await out.done(`Runs again: ${what}${runName(fullName(repo), found)} ${accountLabel(server)}`, {
      record: () => forge.runs.get(repo, found.id),
    });
  },
});
