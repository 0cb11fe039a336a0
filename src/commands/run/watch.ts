import { defineCommand } from "../../app/define.ts";
import { seconds, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { run } from "../../forge/runs.ts";
import { findRun } from "./find.ts";
import { runSelector } from "./selector.ts";
import { watchRun } from "./watch-run.ts";

/** `tongs run watch`: GET a run and its jobs again and again until it is over. */
export const watch = defineCommand({
  summary: "Wait until a workflow run is over",
  details:
    "Looks every 3 seconds at first and less often while nothing changes. A server that restarts or cannot be reached " +
    "for a while is waited for. The JSON forms print the run's record in the end.",
  on: "repository",
  effect: "read",
  args: { run: runSelector },
  flags: {
    interval: seconds("time between two looks, at least", { short: "i" }),
    failFast: toggle("stop at the first job that fails"),
    logs: toggle("print the logs as they come"),
    timeout: seconds("stop waiting after so long (0 waits for ever)"),
  },
  output: run,
  exits: { ok: "it succeeded", awaitedFailed: "it failed or was cancelled", pending: "--timeout passed before" },
  examples: [
    ["The current branch's newest run", "tongs run watch"],
    ["Deploy once it is good", "tongs run watch 31 && ./deploy"],
  ],
  async run(context) {
    const { flags } = context;
    if (flags.interval !== undefined && flags.interval < 1) throw new UsageError("--interval is at least one second");
    return watchRun(await findRun(context.args.run, context), flags, context);
  },
});
