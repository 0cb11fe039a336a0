import type { BaseContext, RepositoryContext, ServerContext } from "../../app/context.ts";
import type { Made } from "../../app/plan.ts";
import { runColumns, runName } from "../../app/runs/columns.ts";
import { findRunRecord, runPage } from "../../app/runs/find.ts";
import { manyRuns, readRuns } from "../../app/runs/selector.ts";
import { withStateErrors } from "../../app/runs/state-errors.ts";
import { changeTargets, type Target } from "../../app/targets.ts";
import { repoPage } from "../../app/web.ts";
import { orWebPage, unsupported } from "../../app/web-instead.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { filterListing } from "../../forge/listings.ts";
import type { Operation } from "../../forge/operation.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import { type Run, runGet } from "../../forge/runs.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { once } from "../../system/concurrency.ts";
import { type RunFilterValues, runFilter, runFilterFlags } from "./filters.ts";

/** The runs of a verb for several: named ones, or none if filters select them. */
export const runsArg = { ...manyRuns, count: "any" } as const;

/** The flags of a verb for several runs. */
export const manyFlags = {
  ...runFilterFlags,
  plan: toggle("list the runs that the filters select, and change nothing"),
};

/** The context of the work on one run. */
export type RunContext = BaseContext & RepositoryContext & { readonly name: string };

/** What a verb does to several runs. */
interface ManyRuns {
  /** What a server that has no runs cannot do: `cancel a run`. */
  readonly what: string;
  readonly operation: Operation;
  /** `Cancel`, for the question. */
  readonly verb: string;
  /** Whether it asks before it is done to named runs, too. */
  readonly asks: boolean;
  /** What flags besides those of `manyFlags` filter by. */
  readonly filters?: readonly unknown[];
  /** The states of the runs that filters select, if no state is given. */
  readonly states: readonly string[];
  /** Whether it can be done to a run that filters select. */
  readonly suits: (run: Run) => boolean;
  readonly work: (run: Run, context: RunContext) => Promise<Made<object>>;
}

type ManyContext = BaseContext &
  ServerContext & {
    readonly args: { readonly run: readonly string[] };
    readonly flags: RunFilterValues & { readonly plan: boolean };
  };

interface RunTarget extends Target {
  readonly get: () => Promise<Run>;
}

/** Does it to the named runs, or to those that filters select. Returns the exit name. */
export async function forRuns(
  { what, operation, states, suits, ...many }: ManyRuns,
  context: ManyContext,
): Promise<ExitName | undefined> {
  const { args, flags, http, server } = context;
  const { workflow, branch, event, headSha, state, actor, plan } = flags;
  return changeTargets<Run, RunTarget>(
    {
      ...many,
      noun: ["run", "runs"],
      columns: runColumns,
      sends: operation,
      such: "--workflow or --state",
      filters: [workflow, branch, event, headSha, state, actor, ...(many.filters ?? [])],
      plan,
      typed: args.run,
      // Each is looked up on its own: one that does not exist must not keep the others from being worked on.
      named: async () =>
        (await readRuns(args.run, context)).map(({ typed: name, selector, repo }) => ({
          name,
          repo,
          get: once(
            () => name,
            () => findRunRecord(what, operation, selector, { ...context, repo }),
          ),
        })),
      read: ({ get }) => get(),
      async find() {
        const repo = await context.locate();
        const level = { of: "repository", repo } as const;
        const file = workflow === undefined ? undefined : await workflowFile(workflow, level, context);
        const filter = await runFilter(flags, file, context);
        const isRun = (one: RunOrTask): one is Run => {
          if (!isTask(one)) return suits(one);
          const page = addressText(server.base) + repoPage(repo, "actions");
          throw unsupported(what, page, context, runGet, operation);
        };
        const listing = filterListing(listRuns(http, level, { ...filter, status: filter.status ?? states }), isRun);
        return { listing, target: (run) => ({ name: `#${readRun(run).number}`, repo, get: async () => run }) };
      },
      called: async ({ repo, get }) => runName(fullName(repo), await get()),
      async work({ repo, get }) {
        const run = await get();
        const page = runPage(run, { ...context, repo });
        const place = { ...context, repo, name: runName(fullName(repo), run) };
        const target = { ...readRun(run), id: run.id };
        return orWebPage(what, page, context, () => withStateErrors(target, place, () => many.work(run, place)));
      },
    },
    context,
  );
}
