import { defineCommand } from "../../app/define.ts";
import { toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { readRun } from "../../forge/read-run.ts";
import { type Run, run, runCancel, runForceCancel, runGet } from "../../forge/runs.ts";
import { list } from "../../shape/shape.ts";
import { forRuns, manyFlags, type RunContext, runsArg } from "./many.ts";

/** `tongs run cancel`: POST …/cancel for each run, and GET the run afterwards, because the answer does not tell. */
export const cancel = defineCommand({
  summary: "Cancel workflow runs",
  details:
    "With servers that cannot, the error message names the web page where you can. Filters match only runs that have " +
    "not finished, and prompt for confirmation, unless --yes is given.",
  on: "server",
  needs: [runCancel],
  effect: "write",
  args: { run: runsArg },
  flags: { ...manyFlags, force: toggle("do not wait for the runners to stop", { needs: [runForceCancel] }) },
  output: list(run),
  exits: {
    notFound: "the run does not exist, or the server has no API for it",
    refused: "the run has already finished",
    partly: "some runs were cancelled, some failed",
  },
  examples: [
    ["Cancel the newest run", "tongs run cancel latest"],
    ["List the runs of a workflow that would be cancelled", "tongs run cancel --workflow nightly.yml --plan"],
    ["Cancel the runs of a branch", "tongs run cancel --branch feature/lights --yes"],
  ],
  async run(context) {
    const { force } = context.flags;
    const work = async (found: Run, { http, repo, name }: RunContext) => {
      if (force) await call(http, runForceCancel, { repo, run: found.id });
      else await call(http, runCancel, { repo, run_id: found.id });
      const record = await call(http, runGet, { repo, run: found.id });
      const { state, isFinished } = readRun(record);
      // Forgejo accepts it for a finished run, too (docs/server-differences.md, "Runs and jobs").
      if (readRun(found).isFinished || (isFinished && state !== "cancelled"))
        throw new Failure("wrong_state", `${name} has already finished: ${state}`);
      const done = state === "cancelled" ? "Cancelled" : "Requested cancellation of";
      return { message: `${done} ${name}`, record };
    };
    return forRuns(
      {
        what: force ? "cancel a run by force" : "cancel a run",
        operation: force ? runForceCancel : runCancel,
        verb: "Cancel",
        asks: false,
        work,
        states: ["queued", "waiting", "in_progress"],
        suits: (one) => !readRun(one).isFinished,
      },
      context,
    );
  },
});
