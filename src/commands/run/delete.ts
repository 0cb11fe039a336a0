import { batch } from "../../app/batch.ts";
import type { BaseContext, RepositoryContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { choicesOf, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { call } from "../../forge/operation.ts";
import { isFinished, isTask, readRun } from "../../forge/run-or-task.ts";
import { type Run, run, runDelete } from "../../forge/runs.ts";
import { isUnset } from "../../output/cells.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { runName } from "./columns.ts";
import { findRunRecord } from "./find.ts";
import { manyRuns, readRuns } from "./selector.ts";
import { ageFlag, unsupported, withStateErrors } from "./shared.ts";

interface Target {
  readonly name: string;
  readonly repo: RepoName;
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
  on: "server",
  effect: "destroy",
  args: { run: { ...manyRuns, count: "any" } },
  flags: {
    olderThan: ageFlag("delete runs that finished longer ago than this: 30d, 12h, 2w"),
    workflow: text("delete runs of this workflow (file or name)", {
      short: "w",
      placeholder: "WORKFLOW",
      source: "workflow",
    }),
    state: choicesOf(results, "delete runs with this result", { short: "s", aliases: [{ name: "status" }] }),
  },
  output: list(run),
  exits: { partly: "some runs were deleted, some failed" },
  examples: [
    ["Delete two runs", "tongs run delete 31 '#7' --yes"],
    ["Delete old runs", "tongs run delete --older-than 30d --yes"],
    ["Delete failed runs of a workflow", "tongs run delete --workflow nightly.yml --state failure --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server } = context;
    const status = flags.state;
    const hasFilters = flags.olderThan !== undefined || flags.workflow !== undefined || status.length > 0;
    if (hasFilters === args.run.length > 0) {
      throw new UsageError("Specify either runs, or at least one of --older-than, --workflow and --state");
    }
    const targets = hasFilters
      ? await filteredRuns({ ...flags, status }, { ...context, repo: await context.locate() })
      : await namedRuns(args.run, context);
    const [first] = targets;
    if (first === undefined) {
      if (out.records) await out.items([]);
      return out.note("No runs found.");
    }
    const only = targets.length === 1 ? await first.find() : undefined;
    const repositories = [...new Set(targets.map(({ repo }) => fullName(repo)))].join(", ");
    await prompt.confirmAction({
      what:
        only === undefined
          ? `Delete ${targets.length} runs from ${repositories}`
          : `Delete ${runName(repositories, only)}`,
    });
    const work = async ({ repo, find }: Target) => {
      const one = only ?? (await find());
      await withStateErrors(readRun(one).workflow, () => call(http, runDelete, { repo, run: one.id }));
      return { message: `Deleted ${runName(fullName(repo), one)} ${accountLabel(server)}`, record: one };
    };
    return batch(targets, work, context, { name: ({ name }) => name });
  },
});

/** The named runs. Each is looked up on its own: a run that does not exist must not prevent the deletion of the others. */
async function namedRuns(typed: readonly string[], context: BaseContext & ServerContext): Promise<Target[]> {
  const what = { what: "delete a run", since: "1.25 and Forgejo 16.0" };
  return (await readRuns(typed, context)).map(({ typed: name, selector, repo }) => ({
    ...{ name, repo },
    find: () => findRunRecord(what, selector, { ...context, repo }),
  }));
}

/** When a run ended, or else started, in milliseconds; not a number if neither is known. A run cancelled early has no end. */
function endOf(run: Run): number {
  const { started, completed } = readRun(run);
  return Date.parse([completed, started].find((time) => !isUnset(time)) ?? "");
}

/** All finished runs that match the filters. */
async function filteredRuns(filters: Filters, context: BaseContext & RepositoryContext): Promise<Target[]> {
  const { http, repo, server, system } = context;
  const level = { of: "repository", repo } as const;
  const workflow = filters.workflow === undefined ? undefined : await workflowFile(filters.workflow, level, context);
  const status = filters.status.length > 0 ? filters.status : ["completed"];
  const found: Target[] = [];
  for await (const one of listRuns(http, level, { workflow, status }).take(Number.POSITIVE_INFINITY)) {
    if (isTask(one))
      throw unsupported(
        "delete a run",
        `${addressText(server.base)}/${fullName(repo)}/actions`,
        context,
        "1.25 and Forgejo 16.0",
      );
    const oldEnough = filters.olderThan === undefined || system.now().getTime() - endOf(one) >= filters.olderThan;
    if (isFinished(one) && oldEnough) found.push({ name: `#${readRun(one).number}`, repo, find: async () => one });
  }
  return found;
}
