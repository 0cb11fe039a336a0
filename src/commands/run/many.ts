import { type BatchItem, batch } from "../../app/batch.ts";
import type { BaseContext, RepositoryContext, ServerContext } from "../../app/context.ts";
import { runColumns, runName } from "../../app/runs/columns.ts";
import { findRunRecord, runPage } from "../../app/runs/find.ts";
import { manyRuns, readRuns } from "../../app/runs/selector.ts";
import { repoPage } from "../../app/web.ts";
import { unsupported } from "../../app/web-instead.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { listRuns } from "../../forge/list-runs.ts";
import type { Operation } from "../../forge/operation.ts";
import { isTask, readRun } from "../../forge/read-run.ts";
import { type Run, runGet } from "../../forge/runs.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { hasFilters, type RunFilterValues, runFilter, runFilterFlags } from "./filters.ts";

/** The runs of a verb for several: named ones, or none if filters select them. */
export const runsArg = { ...manyRuns, count: "any" } as const;

/** The flags of a verb for several runs. */
export const manyFlags = {
  ...runFilterFlags,
  plan: toggle("list the runs that the filters select, and change nothing"),
};

/** The context of the work on one run. */
export type RunContext = BaseContext & RepositoryContext & { readonly page: string; readonly name: string };

/** What a verb does to several runs. */
interface ManyRuns {
  /** What a server that has no runs cannot do: `cancel a run`. */
  readonly what: string;
  readonly operation: Operation;
  /** `Cancel`, for the question. */
  readonly verb: string;
  /** Whether it asks before it is done to named runs, too. */
  readonly asks: boolean;
  /** Whether flags select runs besides those of `manyFlags`. */
  readonly isFiltered?: boolean;
  /** The states of the runs that filters select, if no state is given. */
  readonly states: readonly string[];
  /** Whether it can be done to a run that filters select. */
  readonly suits: (run: Run) => boolean;
  readonly work: (run: Run, context: RunContext) => Promise<BatchItem>;
}

type ManyContext = BaseContext &
  ServerContext & {
    readonly args: { readonly run: readonly string[] };
    readonly flags: RunFilterValues & { readonly plan: boolean };
  };

interface Target {
  readonly name: string;
  readonly repo: RepoName;
  readonly find: () => Promise<Run>;
}

/**
 * Does it to the named runs, or to those that filters select, which are read to the end before the first change. Returns the
 * exit name of the batch.
 */
export async function forRuns(many: ManyRuns, context: ManyContext): Promise<ExitName | undefined> {
  const { args, flags, out, prompt } = context;
  const isFiltered = many.isFiltered === true || hasFilters(flags);
  if (isFiltered === args.run.length > 0)
    throw new UsageError("Specify either runs, or at least one filter, such as --workflow or --state");
  const targets = isFiltered ? await filteredRuns(many, context) : await namedRuns(many, context);
  const [first] = targets;
  if (first === undefined) {
    if (out.records) await out.items([]);
    out.note("No runs found.");
    return undefined;
  }
  if (flags.plan) {
    await out.list(await Promise.all(targets.map(({ find }) => find())), runColumns, { unlimited: true });
    return undefined;
  }
  const only = targets.length === 1 ? await first.find() : undefined;
  if (isFiltered || many.asks) {
    const repositories = [...new Set(targets.map(({ repo }) => fullName(repo)))].join(", ");
    const some = `${targets.length} runs of ${repositories}`;
    const what = `${many.verb} ${only === undefined ? some : runName(repositories, only)}`;
    await prompt.confirmAction({ what, sends: many.operation });
  }
  const work = async ({ repo, find }: Target) => {
    const run = only ?? (await find());
    const page = runPage({ kind: "run", run }, { ...context, repo });
    return many.work(run, { ...context, repo, page, name: runName(fullName(repo), run) });
  };
  return batch(targets, work, context, { name: ({ name }) => name });
}

/** The named runs. Each is looked up on its own: one that does not exist must not keep the others from being worked on. */
async function namedRuns({ what, operation }: ManyRuns, context: ManyContext): Promise<Target[]> {
  return (await readRuns(context.args.run, context)).map(({ typed: name, selector, repo }) => ({
    name,
    repo,
    find: () => findRunRecord(what, operation, selector, { ...context, repo }),
  }));
}

/** The runs that the filters select and it can be done to. */
async function filteredRuns({ what, operation, states, suits }: ManyRuns, context: ManyContext): Promise<Target[]> {
  const { flags, http, server } = context;
  const repo = await context.locate();
  const level = { of: "repository", repo } as const;
  const workflow = flags.workflow === undefined ? undefined : await workflowFile(flags.workflow, level, context);
  const filter = await runFilter(flags, workflow, context);
  const found: Target[] = [];
  for await (const run of listRuns(http, level, { ...filter, status: filter.status ?? states }).take(
    Number.POSITIVE_INFINITY,
  )) {
    if (isTask(run)) {
      const page = addressText(server.base) + repoPage(repo, "actions");
      throw unsupported(what, page, context, runGet, operation);
    }
    if (suits(run)) found.push({ name: `#${readRun(run).number}`, repo, find: async () => run });
  }
  return found;
}
