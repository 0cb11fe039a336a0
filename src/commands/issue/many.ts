import type { BaseContext, ServerContext } from "../../app/context.ts";
import { type IssueTarget, issueName, manyIssues, readIssues } from "../../app/issue-selector.ts";
import { type Flags, toggle } from "../../command/flags.ts";
import { type Issue, issueEdit } from "../../forge/issues.ts";
import type { RepoName } from "../../repo/repo-name.ts";
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

interface Filters extends IssueFilterValues {
  readonly state?: "open" | "closed" | "all" | undefined;
  readonly milestone: string | undefined;
}

type ManyContext = BaseContext & ServerContext & { readonly args: { readonly issue: readonly string[] } };

const named = ({ repo, number }: IssueTarget) => ({ repo, number, name: issueName(repo, number) });

/**
 * The issues of a verb: the named ones, or those that filters select in the current repository, by default of one state. `check`
 * throws for what cannot be changed in any, before they are shown.
 */
export function issueTargets(
  filters: Filters,
  state: "open" | "closed",
  context: ManyContext,
  check?: (repo: RepoName) => Promise<unknown>,
) {
  const { args, http, server } = context;
  return {
    noun: ["issue", "issues"],
    columns: issueColumns,
    sends: issueEdit,
    such: "--label or --author",
    filters: Object.values(filters),
    typed: args.issue,
    named: async () => (await readIssues(args.issue, context)).map(named),
    async find() {
      const repo = await context.locate();
      await check?.(repo);
      const all = { ...filters, state: filters.state ?? state, sort: undefined, owner: undefined };
      const listing = await listIssues(all, { http, server, repo });
      return { listing, target: ({ number }: Issue) => named({ repo, number }) };
    },
    called: ({ name }: ReturnType<typeof named>) => `issue ${name}`,
  } as const;
}
