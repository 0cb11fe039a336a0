import type { BaseContext } from "../../app/context.ts";
import { confirmFiltered, isGivenFilter, refuseLimit, typedFlags } from "../../app/filtered.ts";
import { type FlagValues, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type PullRequest, pullEdit } from "../../forge/pulls.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { FindContext, PullSelector } from "./find.ts";
import { baseOptions, milestoneOptions, type PullFilters, pullFilterFlags } from "./list-filters.ts";
import { pullName } from "./pull.ts";

/** The filters of a verb that sets neither base branches nor milestones. */
export const manyFilterFlags = {
  ...pullFilterFlags,
  base: text("filter by base branch", { ...baseOptions, short: "B" }),
  milestone: text("filter by milestone", milestoneOptions),
};

/** The flag that goes with filters. */
export const planFlag = toggle("list the pull requests that the filters select, and change nothing");

/** What the help says of the filters. */
export const filtersDetails =
  "Filters select pull requests as those of tongs pr list do, all or the first --limit, and prompt for confirmation, unless --yes is given.";

interface ManyPulls {
  /** `Close`, for the question. */
  readonly verb: string;
  readonly filters: FlagValues<typeof manyFilterFlags> & { readonly state?: PullFilters["state"] | undefined };
  /** The state of those that filters select, unless they say it. */
  readonly state: "open" | "closed";
  /** Whether it can be done to one that filters select. */
  readonly suits?: (pull: PullRequest) => boolean;
  readonly plan: boolean;
  /** The flags that say what is changed. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Throws for changes that cannot be made to any, before they are shown. */
  readonly check?: () => Promise<unknown>;
}

type ManyContext = BaseContext & FindContext & { readonly args: { readonly pr: readonly PullSelector[] } };

/** The named pull requests, or after asking those that filters select: none if there is nothing to do. */
export async function selectPulls(
  { verb, filters, state, suits = () => true, plan, changes, check }: ManyPulls,
  context: ManyContext,
): Promise<readonly PullSelector[]> {
  const { args, repo } = context;
  const isNamed = args.pr.some(({ by }) => by !== "current");
  const isFiltered = Object.values(filters).some(isGivenFilter);
  if (isFiltered ? isNamed : plan)
    throw new UsageError("Specify either pull requests, or at least one filter, such as --label or --author");
  if (!isFiltered) refuseLimit(context.options);
  if (!isFiltered) return args.pr;
  await check?.();
  const [{ columns, listPulls }, { filterListing }] = await Promise.all([
    import("./list.ts"),
    import("../../forge/listings.ts"),
  ]);
  const listing = await listPulls({ ...filters, state: filters.state ?? state, sort: undefined }, context);
  const found = await confirmFiltered(
    filterListing(listing, suits),
    {
      verb,
      plan,
      noun: ["pull request", "pull requests"],
      name: ({ number }) => pullName(context, number),
      where: fullName(repo),
      columns,
      sends: pullEdit,
      changes: typedFlags(changes),
    },
    context,
  );
  return found.map(({ number }) => ({ by: "number", number }));
}
