import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { choice, choiceOr, names, text, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { narrow, sorted } from "../../forge/listings.ts";
import { type PullRequest, type PullSort, pullRequest } from "../../forge/pulls.ts";
import type { Listing } from "../../http/pages.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { inOrder } from "../../system/concurrency.ts";
import { comesFrom } from "./find.ts";
import { pullState } from "./shared.ts";

const columns = [
  column<PullRequest>("ID", (pull) =>
    styled(pullState(pull) === "open" ? "good" : pullState(pull) === "merged" ? "merged" : "dim", `#${pull.number}`),
  ),
  column<PullRequest>("TITLE", (pull) => pull.title, true),
  column<PullRequest>("BRANCH", (pull) => styled("link", branchOf(pull)), true),
  column<PullRequest>("STATE", (pull) => pullState(pull)),
  column<PullRequest>("CREATED", (pull) => when(pull.created_at)),
];

/** `tongs pr list`: GET the pull requests of a repository. */
export const list = defineCommand({
  summary: "List pull requests",
  details: "Filters add up; several labels mean all of them. @me is the signed-in user. Closed includes merged.",
  on: "repository",
  effect: "read",
  flags: {
    state: choiceOr(["open", "closed", "merged", "all"], "open", "in which state", { short: "s" }),
    base: text("into this branch", { short: "B", placeholder: "BRANCH" }),
    head: text("from this branch", { short: "H", placeholder: "[OWNER:]BRANCH" }),
    author: text("opened by this user", { short: "A", placeholder: "USER" }),
    assignee: text("assigned to this user", { short: "a", placeholder: "USER" }),
    label: names("with this label; several: with all of them", { short: "l", placeholder: "LABEL" }),
    milestone: text("in this milestone", { placeholder: "TITLE" }),
    draft: yesNo("drafts only, or none"),
    search: text("with these words in title, text or comments", { short: "S" }),
    sort: choice(["newest", "oldest", "updated", "least-updated", "comments", "priority"], "what comes first"),
  },
  output: listOf(pullRequest),
  examples: [
    ["What is open here", "tongs pr list"],
    ["What has been merged into a branch", "tongs pr list --state merged --base release/1.2"],
    ["Mine with two labels, as JSON", "tongs pr list --author @me --label bug,docs --json number,title"],
  ],
  async run(context) {
    await context.out.list(await listPulls(context.flags, context), columns);
  },
});

/** The head branch, with its owner where it is a fork's. */
function branchOf({ head, base }: PullRequest): string {
  const owner = head?.repo && head.repo_id !== base?.repo_id ? head.repo.owner?.login : undefined;
  return owner === undefined ? (head?.label ?? "") : `${owner}:${head?.ref}`;
}

/** What `pr list` filters and sorts by. */
export interface PullFilters {
  readonly state: "open" | "closed" | "merged" | "all";
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly author: string | undefined;
  readonly assignee: string | undefined;
  readonly label: readonly string[];
  readonly milestone: string | undefined;
  readonly draft: boolean | undefined;
  readonly search: string | undefined;
  readonly sort: "newest" | "oldest" | "updated" | "least-updated" | "comments" | "priority" | undefined;
}

type Test = (pull: PullRequest) => boolean;

/**
 * The pull requests that fit. The server filters by what it can; what it cannot, or what not every server does, is
 * tested here, reading on until enough have passed. Without filters one request brings the first page.
 */
export async function listPulls(filters: PullFilters, context: RepositoryContext): Promise<Listing<PullRequest>> {
  const { forge, repo } = context;
  const searched = filters.search !== undefined || filters.assignee !== undefined;
  if (searched && filters.sort === "priority") {
    throw new UsageError(
      "--sort priority does not go with --search or --assignee",
      "The server can sort so only alone.",
    );
  }
  const tests = [...localTests(filters)];
  const state = filters.state === "merged" ? "closed" : filters.state;
  const [author, assignee, labels, milestone] = await Promise.all([
    login(filters.author, context),
    login(filters.assignee, context),
    labelsOf(filters, context),
    milestoneOf(filters, context),
  ]);
  // The servers take several labels for any of them: one is sent, all are tested.
  const [label] = labels;
  if (labels.length > (searched ? 0 : 1)) tests.push(hasLabels(labels.map(({ id }) => id)));
  if (!searched) {
    const query = {
      ...{ state, base_branch: filters.base, poster: author, milestone, sort: sorts[filters.sort ?? "newest"] },
      labels: label === undefined ? undefined : [label.id],
    };
    return narrowed(forge.pulls.list(repo, query), tests);
  }
  if (milestone !== undefined) tests.push((pull) => pull.milestone?.id === milestone);
  const found = forge.issues.pulls(repo, {
    ...{ state, q: filters.search, created_by: author, assigned_by: assignee },
    labels: label?.name.includes(",") ? undefined : label?.name,
  });
  const pulls = narrowed(
    fetched(found, (number) => forge.pulls.get(repo, number)),
    tests,
  );
  const compare = orders[filters.sort ?? "newest"];
  return compare === undefined ? pulls : sorted(pulls, compare);
}

const sorts: Readonly<Record<NonNullable<PullFilters["sort"]>, PullSort | undefined>> = {
  newest: undefined,
  oldest: "oldest",
  updated: "recentupdate",
  "least-updated": "leastupdate",
  comments: "mostcomment",
  priority: "priority",
};

/** The same orders for what was found by a search, which the servers give newest first only. */
const orders: Readonly<Record<string, (one: PullRequest, other: PullRequest) => number>> = {
  oldest: (one, other) => one.number - other.number,
  updated: (one, other) => time(other.updated_at) - time(one.updated_at),
  "least-updated": (one, other) => time(one.updated_at) - time(other.updated_at),
  comments: (one, other) => other.comments - one.comments,
};

function time(text: string | null): number {
  return text === null ? 0 : Date.parse(text);
}

function* localTests({ state, base, head, draft }: PullFilters): Generator<Test> {
  if (state === "merged") yield (pull) => pull.merged;
  // Forgejo takes no notice of base_branch (api-facts 3.5.1).
  if (base !== undefined) yield (pull) => pull.base?.ref === base || pull.base?.label === base;
  if (draft !== undefined) yield (pull) => pull.draft === draft;
  if (head === undefined) return;
  const [, owner, branch = head] = /^([^:/]+):(.+)$/.exec(head) ?? [];
  yield (pull) => comesFrom(pull, { branch, owner });
}

function narrowed(listing: Listing<PullRequest>, tests: readonly Test[]): Listing<PullRequest> {
  return tests.length === 0 ? listing : narrow(listing, (pull) => tests.every((test) => test(pull)));
}

function hasLabels(ids: readonly number[]): Test {
  return (pull) => ids.every((id) => (pull.labels ?? []).some((label) => label.id === id));
}

async function login(typed: string | undefined, { forge, server }: RepositoryContext): Promise<string | undefined> {
  return typed === "@me" ? (server.user ?? (await forge.users.me()).login) : typed;
}

async function labelsOf({ label }: PullFilters, { forge, repo }: RepositoryContext) {
  if (label.length === 0) return [];
  const { labelsNamed } = await import("../../forge/names.ts");
  return labelsNamed(forge, repo, label);
}

async function milestoneOf({ milestone }: PullFilters, { forge, repo }: RepositoryContext) {
  if (milestone === undefined) return undefined;
  const { milestoneNamed } = await import("../../forge/names.ts");
  return (await milestoneNamed(forge, repo, milestone)).id;
}

/** How many pull requests are fetched at once for what a search found. */
const width = 8;

/** The pull requests with these numbers, in their order. */
function fetched(
  numbers: Listing<{ readonly number: number }>,
  get: (number: number) => Promise<PullRequest>,
): Listing<PullRequest> {
  return {
    take: (limit) => inOrder(numbers.take(limit), width, ({ number }) => get(number)),
    get total() {
      return numbers.total;
    },
  };
}
