import { batch } from "../../app/batch.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { choicesOf, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { isTask, workflowOf } from "../../forge/run-or-task.ts";
import { type Run, run, runsApi } from "../../forge/runs.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { workflowFile } from "../workflow/shared.ts";
import { runName } from "./columns.ts";
import { findRunRecord } from "./find.ts";
import { manyRuns, parseRun } from "./selector.ts";
import { ageFlag, unsupported, withStateErrors } from "./shared.ts";

interface Target {
  readonly name: string;
  readonly find: () => Promise<Run>;
}

interface Filters {
  readonly olderThan: number | undefined;
  readonly workflow: string | undefined;
  readonly status: readonly string[];
}

const results = ["success", "failure", "cancelled", "skipped", "completed"] as const;

/** `tongs run delete`: DELETE finished runs, with their jobs, logs and artifacts. */
export const remove = defineCommand({
  summary: "Delete workflow runs",
  details: "Also deletes their jobs, logs and artifacts. Filters match only runs that have finished.",
  on: "repository",
  effect: "destroy",
  args: { run: { ...manyRuns, count: "any" } },
  flags: {
    olderThan: ageFlag("delete runs that finished longer ago than this: 30d, 12h, 2w"),
    workflow: text("delete runs of this workflow (file or name)", {
      short: "w",
      placeholder: "WORKFLOW",
      source: "workflow",
    }),
    state: choicesOf(results, "delete runs with this result", { short: "s" }),
    status: choicesOf(results, "--state", { hidden: true }),
  },
  exclusive: [["state", "status"]],
  output: list(run),
  exits: { partly: "some runs were deleted, some failed" },
  examples: [
    ["Delete two runs", "tongs run delete 31 '#7' --yes"],
    ["Delete old runs", "tongs run delete --older-than 30d --yes"],
    ["Delete failed runs of a workflow", "tongs run delete --workflow nightly.yml --state failure --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, repo, server, system } = context;
    const status = [...flags.state, ...flags.status];
    const hasFilters = flags.olderThan !== undefined || flags.workflow !== undefined || status.length > 0;
    if (hasFilters === args.run.length > 0) {
      throw new UsageError("Specify either runs, or at least one of --older-than, --workflow and --state");
    }
    // Each run is looked up on its own: a run that does not exist must not prevent the deletion of the others.
    const targets: readonly Target[] = hasFilters
      ? (await filteredRuns({ ...flags, status }, context, system.now())).map((one) => ({
          name: `#${one.run_number}`,
          find: async () => one,
        }))
      : (await readTargets(args.run, system)).map((name) => {
          const selector = parseRun(name);
          return { name, find: () => findRunRecord({ what: "delete a run", since: "1.24" }, selector, context) };
        });
    const [first] = targets;
    if (first === undefined) {
      if (out.records) await out.items([]);
      return out.note("No runs found.");
    }
    const where = fullName(repo);
    const only = targets.length === 1 ? await first.find() : undefined;
    await prompt.confirmAction({
      what: only === undefined ? `Delete ${targets.length} runs from ${where}` : `Delete ${runName(where, only)}`,
    });
    const work = async ({ find }: Target) => {
      const one = only ?? (await find());
      await withStateErrors(workflowOf(one), () => runsApi(http).delete(repo, one.id));
      return { message: `Deleted ${runName(where, one)} ${accountLabel(server)}`, record: one };
    };
    return batch(targets, work, context, { name: ({ name }) => name });
  },
});

/** All finished runs that match the filters. */
async function filteredRuns(filters: Filters, context: RepositoryContext, now: Date): Promise<Run[]> {
  const { http, repo, server } = context;
  const level = { of: "repository", repo } as const;
  const workflow = filters.workflow === undefined ? undefined : await workflowFile(filters.workflow, level, context);
  const status = filters.status.length > 0 ? filters.status : ["completed"];
  const found: Run[] = [];
  for await (const one of listRuns(http, level, { workflow, status }).take(Number.POSITIVE_INFINITY)) {
    if (isTask(one))
      throw unsupported("delete a run", `${addressText(server.base)}/${fullName(repo)}/actions`, context, "1.24");
    const oldEnough =
      filters.olderThan === undefined || now.getTime() - Date.parse(one.completed_at ?? "") >= filters.olderThan;
    if (one.status === "completed" && oldEnough) found.push(one);
  }
  return found;
}
