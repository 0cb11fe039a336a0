import { defineCommand } from "../../app/define.ts";
import { untilItCompletes } from "../../app/runs/state-errors.ts";
import { ageFlag } from "../../command/time-flags.ts";
import { call } from "../../forge/operation.ts";
import { readRun } from "../../forge/read-run.ts";
import { type Run, run, runDelete, runGet } from "../../forge/runs.ts";
import { HttpError } from "../../http/errors.ts";
import { list } from "../../shape/shape.ts";
import { forRuns, manyFlags, type RunContext, runsArg } from "./many.ts";

/** `tongs run delete`: DELETE finished runs, with their jobs, logs and artifacts. */
export const remove = defineCommand({
  summary: "Delete workflow runs",
  details: "Also deletes their jobs, logs and artifacts. Filters match only runs that have finished.",
  on: "server",
  needs: [runGet, runDelete],
  effect: "destroy",
  args: { run: runsArg },
  flags: {
    olderThan: ageFlag("filter by age: runs that finished longer ago than this: 30d, 12h, 2w"),
    ...manyFlags,
  },
  output: list(run),
  exits: { partly: "some runs were deleted, some failed" },
  examples: [
    ["Delete two runs", "tongs run delete 31 '#7' --yes"],
    ["Delete old runs", "tongs run delete --older-than 30d --yes"],
    ["Delete failed runs of a workflow", "tongs run delete --workflow nightly.yml --state failure --yes"],
  ],
  async run(context) {
    const { olderThan } = context.flags;
    const now = context.system.now().getTime();
    const work = async (found: Run, place: RunContext) => {
      const { http, repo, name } = place;
      await call(http, runDelete, { repo, run: found.id }).catch((error: unknown) => {
        // Forgejo says why to administrators only (docs/server-differences.md, "Runs and jobs").
        const isHidden = error instanceof HttpError && error.exchange.status === 500 && error.serverMessage === "";
        if (readRun(found).isFinished || !isHidden) throw error;
        const hint = untilItCompletes(found, place);
        throw new HttpError("wrong_state", `${name} has not completed`, error.exchange, hint);
      });
      return { message: `Deleted ${name}`, record: found };
    };
    return forRuns(
      {
        what: "delete a run",
        operation: runDelete,
        verb: "Delete",
        asks: true,
        work,
        filters: [olderThan],
        states: ["completed"],
        suits: (one) => readRun(one).isFinished && (olderThan === undefined || now - endOf(one) >= olderThan),
      },
      context,
    );
  },
});

/** When a run ended, or else started, in milliseconds; not a number if neither is known. A run cancelled early has no end. */
function endOf(run: Run): number {
  const { started, completed } = readRun(run);
  return Date.parse(completed ?? started ?? "");
}
