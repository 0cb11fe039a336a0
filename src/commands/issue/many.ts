import type { BaseContext, ServerContext } from "../../app/context.ts";
import { confirmFiltered, isGivenFilter, refuseLimit, typedFlags } from "../../app/filtered.ts";
import { type IssueTarget, issueName, manyIssues, readIssues } from "../../app/issue-selector.ts";
import { type Flags, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { issueEdit } from "../../forge/issues.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { issueColumns } from "./cells.ts";
import type { IssueFilterValues } from "./filters.ts";
import { listIssues } from "./find-issues.ts";

/** The issues of a verb for several: named ones, or none if filters select them. */
export const issuesArg = (filters: Flags) => ({ ...manyIssues, count: "any", orFlags: Object.keys(filters) }) as const;

/** The flag that goes with filters. */
export const planFlag = toggle("list the issues that the filters select, and change nothing");

/** What the help says of the filters. */
export const filtersDetails =
  "Filters select issues of the current repository as those of tongs issue list do, all or the first --limit, and prompt for " +
  "confirmation, unless --yes is given.";

/** The filters of a verb, with their state and milestone if they are given. */
interface ManyFilters extends IssueFilterValues {
  readonly state?: "open" | "closed" | "all" | undefined;
  readonly milestone: string | undefined;
}

interface ManyIssues {
  /** `Close`, for the question. */
  readonly verb: string;
  readonly filters: ManyFilters;
  /** The state of the issues that filters select, unless they say it. */
  readonly state: "open" | "closed";
  readonly plan: boolean;
  /** The flags that say what is changed. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Throws for changes that cannot be made to any, before they are shown. */
  readonly check?: (repo: RepoName) => Promise<unknown>;
}

type ManyContext = BaseContext & ServerContext & { readonly args: { readonly issue: readonly string[] } };

/** The named issues, or after asking those that filters select in the current repository: none if there is nothing to do. */
export async function selectIssues(
  { verb, filters, state, plan, changes, check }: ManyIssues,
  context: ManyContext,
): Promise<readonly IssueTarget[]> {
  const { args, http, server } = context;
  const isFiltered = Object.values(filters).some(isGivenFilter);
  if (isFiltered === args.issue.length > 0 || (plan && !isFiltered))
    throw new UsageError("Specify either issues, or at least one filter, such as --label or --author");
  if (!isFiltered) refuseLimit(context.options);
  if (!isFiltered) return readIssues(args.issue, context);
  const repo = await context.locate();
  await check?.(repo);
  const all = { ...filters, state: filters.state ?? state, sort: undefined, owner: undefined };
  const found = await confirmFiltered(
    await listIssues(all, { http, server, repo }),
    {
      verb,
      plan,
      noun: ["issue", "issues"],
      name: ({ number }) => issueName(repo, number),
      where: fullName(repo),
      columns: issueColumns,
      sends: issueEdit,
      changes: typedFlags(changes),
    },
    context,
  );
  return found.map(({ number }) => ({ repo, number }));
}
