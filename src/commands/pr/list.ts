import type { RepositoryContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { everywhereFlags, listEverywhere, serverField } from "../../app/everywhere.ts";
import { hasLabels, nameTests, resolveFilters, serverSorts, sorted } from "../../app/issues/filters.ts";
import { currentUser } from "../../app/shared.ts";
import { filtered, repoPage } from "../../app/web.ts";
import { choice, choiceOr, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { issuePullList, issueSearch } from "../../forge/issues.ts";
import { filterByAll } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullList, pullRequest } from "../../forge/pulls.ts";
import type { Listing } from "../../http/pages.ts";
import { numbered, state, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list as listOf, record } from "../../shape/shape.ts";
import {
  baseOptions,
  fetchPulls,
  headOf,
  localFilters,
  milestoneOptions,
  type PullFilters,
  pullFilterFlags,
  pullStates,
} from "./list-filters.ts";
import { headName, pullState } from "./pull.ts";

/** The columns of the pull requests of a repository. */
export const columns = [
  column<PullRequest>("ID", "number", (pull) =>
    numbered(pull.number, pullState(pull) === "open" ? "good" : pullState(pull) === "merged" ? "merged" : "plain"),
  ),
  column<PullRequest>("TITLE", "title", { flexible: true }),
  column<PullRequest>("BRANCH", "head.label", { cell: (pull) => styled("link", headName(pull)), flexible: true }),
  column<PullRequest>("STATE", "state", (pull) => state(pullState(pull))),
  column<PullRequest>("CREATED", "created_at", { as: "time" }),
];

const columnsWithRepository = [
  column<PullRequest>("REPOSITORY", "base.repo.full_name", { flexible: true }),
  ...columns,
];

/** `tongs pr list`: GET the pull requests of a repository. */
export const list = defineCommand({
  summary: "List pull requests",
  details:
    "Pull requests must match all filters and have all given labels. @me is the signed-in user. --state closed " +
    "includes merged pull requests.",
  external: { uses: "the servers of all profiles", with: ["everywhere"] },
  onSelected: true,
  on: "profiles",
  effect: "read",
  lists: ["pull request", "pull requests"],
  flags: {
    ...everywhereFlags,
    state: choiceOr(pullStates, "open", "filter by state", { short: "s", filters: "state" }),
    base: text("filter by base branch", { ...baseOptions, short: "B" }),
    milestone: text("filter by milestone", milestoneOptions),
    ...pullFilterFlags,
    sort: choice(
      ["newest", "oldest", "updated", "least-updated", "comments", "priority"],
      "sort order (default: newest)",
    ),
  },
  exclusive: [["allRepos", "everywhere"]],
  output: listOf(record({ ...pullRequest.fields, ...serverField })),
  exits: { partly: "with --everywhere: some servers did not respond" },
  examples: [
    ["List open pull requests", "tongs pr list"],
    ["List pull requests merged into a branch", "tongs pr list --state merged --base release/1.2"],
    [
      "Print your own pull requests with two labels as JSON",
      "tongs pr list --author @me --label bug,docs --json number,title",
    ],
    ["List your pull requests on the servers of all profiles", "tongs pr list --everywhere --author @me"],
  ],
  web: {
    page: async ({ flags, locate }) =>
      filtered(repoPage(await locate(), "pulls"), {
        state: { merged: "closed", closed: "closed", all: "all", open: undefined }[flags.state],
        q: flags.search,
      }),
    uses: ["state", "search"],
  },
  async run(context) {
    const { flags, options, out } = context;
    if (!flags.allRepos && !flags.everywhere) {
      const connected = await context.connect();
      return out.list(await listPulls(flags, { ...connected, repo: await context.locate() }), columns);
    }
    if (options.repo !== undefined) throw new UsageError("Cannot use --repo with --all-repos or --everywhere");
    if (flags.everywhere) {
      const list = (server: ServerContext) => searchPulls(flags, server);
      return listEverywhere({ list, time: (pull) => pull.created_at, columns: columnsWithRepository }, context);
    }
    await out.list(await searchPulls(flags, await context.connect()), columnsWithRepository);
  },
});

/**
 * The pull requests that match. The server applies the filters that every server has; the others are applied here,
 * reading more pages until enough match. Without filters, the first page takes one request.
 */
export async function listPulls(filters: PullFilters, context: RepositoryContext): Promise<Listing<PullRequest>> {
  const { http, repo } = context;
  const searched = filters.search !== undefined || filters.assignee !== undefined;
  if (searched && filters.sort === "priority") {
    throw new UsageError(
      "--sort priority cannot be used with --search or --assignee",
      "The server cannot sort search results by priority.",
    );
  }
  const predicates = [...localFilters(filters)];
  const state = filters.state === "merged" ? "closed" : filters.state;
  const { author, assignee, labels, milestone } = await resolveFilters(filters, context);
  // For several labels the servers match any of them: one is sent, all are tested here.
  const [label] = labels;
  if (labels.length > (searched ? 0 : 1)) predicates.push(hasLabels(labels));
  if (!searched) {
    const query = {
      state,
      // Gitea has base_branch; Forgejo base, and head without the owner. Each ignores the other's.
      base_branch: filters.base,
      base: filters.base,
      head: headOf(filters)?.branch,
      poster: author,
      milestone: milestone?.id,
      sort: serverSorts[filters.sort ?? "newest"],
      labels: label === undefined ? undefined : [label.id],
    };
    return filterByAll(call(http, pullList, { repo, ...query }), predicates);
  }
  if (milestone !== undefined) predicates.push((pull) => pull.milestone?.id === milestone.id);
  const found = call(http, issuePullList, {
    repo,
    type: "pulls",
    state,
    q: filters.search,
    created_by: author,
    assigned_by: assignee,
    labels: label?.name.includes(",") ? undefined : label?.name,
  });
  const pulls = fetchPulls(http, found, ({ number }) => call(http, pullGet, { repo, index: number }));
  return sorted(filterByAll(pulls, predicates), filters.sort);
}

/**
 * The pull requests of every repository that the caller can see, newest first: the search finds them, and each is fetched.
 * Filters are tested here, because the search ignores unknown names (docs/server-differences.md, "Issues").
 */
async function searchPulls(filters: PullFilters, context: ServerContext): Promise<Listing<PullRequest>> {
  const { http } = context;
  if (filters.sort !== undefined && filters.sort !== "newest") {
    throw new UsageError("--sort cannot be used with --all-repos or --everywhere", "They list the newest first.");
  }
  const named = [filters.author, filters.assignee];
  const me = named.includes("@me") ? await currentUser(context) : "";
  const [author, assignee] = named.map((name) => (name === "@me" ? me : name));
  const state = filters.state === "merged" ? "closed" : filters.state;
  const found = call(http, issueSearch, {
    type: "pulls",
    state,
    q: filters.search,
    created: filters.author === "@me" || undefined,
    assigned: filters.assignee === "@me" || undefined,
  });
  const predicates = [...localFilters(filters), ...nameTests({ ...filters, author, assignee })];
  const pulls = fetchPulls(http, found, ({ repository, number }) =>
    call(http, pullGet, { repo: parseRepo(repository?.full_name ?? ""), index: number }),
  );
  return filterByAll(pulls, predicates);
}
