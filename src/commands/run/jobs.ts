import { defineCommand } from "../../app/define.ts";
import { integer } from "../../command/flags.ts";
import { type Job, job } from "../../forge/jobs.ts";
import { runState } from "../../forge/run-or-task.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { duration, runColumns, stateCell } from "./columns.ts";
import { findRun, runPage } from "./find.ts";
import { jobsOf } from "./find-job.ts";
import { runSelector } from "./selector.ts";
import { unsupported } from "./shared.ts";

/** `tongs run jobs`: GET the jobs of a run. */
export const jobs = defineCommand({
  summary: "List the jobs of a workflow run",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  flags: { attempt: integer("list the jobs of this attempt", { short: "a", min: 1 }) },
  output: list(job),
  examples: [
    ["List the jobs of the newest run", "tongs run jobs latest"],
    ["Show which runner ran each job", "tongs run jobs 31 --json name,runner_name"],
  ],
  async run(context) {
    const { flags, out, system } = context;
    const found = await findRun(context.args.run, context);
    if (found.kind === "tasks") {
      if (flags.attempt !== undefined) throw unsupported("view an attempt", runPage(found, context), context);
      return out.list(found.tasks, runColumns, { unlimited: true });
    }
    const now = system.now();
    await out.list(
      await jobsOf(found.run, context, flags.attempt),
      [
        column<Job>("ID", (one) => one.id),
        column<Job>("STATE", (one) => stateCell(runState(one))),
        column<Job>("NAME", (one) => one.name, true),
        column<Job>("RUNS ON", (one) => (one.labels ?? []).join(", "), true),
        column<Job>("RUNNER", (one) => one.runner_name, true),
        column<Job>("STARTED", (one) => when(one.started_at)),
        column<Job>("DURATION", (one) => duration(one.started_at, one.completed_at, now)),
      ],
      { unlimited: true },
    );
  },
});
