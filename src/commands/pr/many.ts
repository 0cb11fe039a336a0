import type { Target } from "../../app/targets.ts";
import { text, toggle } from "../../command/flags.ts";
import { filterListing } from "../../forge/listings.ts";
import { type PullRequest, pullEdit } from "../../forge/pulls.ts";
import { type FindContext, type PullSelector, selectorName } from "./find.ts";
import { columns, listPulls } from "./list.ts";
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

/** A pull request that a verb for several is for. */
export interface PullTarget extends Target {
  readonly selector: PullSelector;
}

interface Selecting {
  readonly filters: Omit<PullFilters, "sort" | "state"> & { readonly state?: PullFilters["state"] | undefined };
  /** The state of those that filters select, unless they say it. */
  readonly state: "open" | "closed";
  /** Whether it can be done to one that filters select. */
  readonly suits?: (pull: PullRequest) => boolean;
  /** Throws for changes that cannot be made to any, before they are shown. */
  readonly check?: () => Promise<unknown>;
}

/** The pull requests of a verb: the named ones, that of the current branch, or those that filters select. */
export function pullTargets(
  { filters, state, suits = () => true, check }: Selecting,
  context: FindContext & { readonly args: { readonly pr: readonly PullSelector[] } },
) {
  const { repo } = context;
  const target = (selector: PullSelector): PullTarget => ({ repo, selector, name: selectorName(selector) });
  return {
    noun: ["pull request", "pull requests"],
    columns,
    sends: pullEdit,
    such: "--label or --author",
    filters: Object.values(filters),
    typed: context.args.pr.filter(({ by }) => by !== "current"),
    hasDefault: true,
    named: async () => context.args.pr.map(target),
    async find() {
      await check?.();
      const listing = await listPulls({ ...filters, state: filters.state ?? state, sort: undefined }, context);
      return {
        listing: filterListing(listing, suits),
        target: ({ number }: PullRequest) => target({ by: "number", number }),
      };
    },
    called: ({ selector }: PullTarget) =>
      `pull request ${selector.by === "number" ? pullName(context, selector.number) : selectorName(selector)}`,
  } as const;
}
