import { defineCommand } from "../../app/define.ts";
import { findRun } from "../../app/runs/find.ts";
import { runSelector } from "../../app/runs/selector.ts";
import { waitLimit, watchRun, withinLimit } from "../../app/runs/watch-run.ts";
import { seconds, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { run, runGet, taskList } from "../../forge/runs.ts";

/** `tongs run watch`: GET a run and its jobs repeatedly until the run completes. */
export const watch = defineCommand({
  summary: "Watch a workflow run until it completes",
  details:
    "Refreshes every 3 seconds, and less often while nothing changes. Keeps waiting while the server restarts or cannot " +
    "be reached. The JSON formats print the run's record at the end.",
  on: "repository",
  needs: [[runGet, taskList]],
  effect: "read",
  args: { run: runSelector },
  flags: {
    interval: seconds("minimum refresh interval", { short: "i" }),
    failFast: toggle("stop as soon as a job fails"),
    logs: toggle("print the logs as they arrive"),
    wait: seconds("stop waiting after this time (0: no limit)"),
    timeout: seconds("--wait", { hidden: true }),
    exitStatus: toggle("the exit code says it anyway", { hidden: true }),
  },
  exclusive: [["wait", "timeout"]],
  output: run,
  exits: {
    ok: "the run succeeded",
    awaitedFailed: "the run failed or was cancelled",
    pending: "--wait was reached",
  },
  examples: [
    ["Watch the newest run of the current branch", "tongs run watch"],
    ["Deploy when the run succeeds", "tongs run watch 31 && ./deploy"],
  ],
  async run(context) {
    const { flags } = context;
    if (flags.interval !== undefined && flags.interval < 1)
      throw new UsageError("--interval must be at least 1 second");
    const timeout = waitLimit(flags, context);
    const limited = withinLimit(context, timeout);
    return watchRun(await findRun(context.args.run, limited), { ...flags, timeout }, limited);
  },
});
