import type { RepositoryContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { narrow, sorted } from "../../forge/narrow.ts";
import type { PullRequest, PullSort } from "../../forge/pulls.ts";
import type { Listing } from "../../http/pages.ts";
import { comesFrom } from "./head.ts";

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
    async *take(limit) {
      const underWay: Promise<PullRequest>[] = [];
      for await (const { number } of numbers.take(limit)) {
        const pull = get(number);
        pull.catch(() => undefined);
        underWay.push(pull);
        if (underWay.length < width) continue;
        const first = await underWay.shift();
        if (first !== undefined) yield first;
      }
      for (const pull of underWay) yield await pull;
    },
    get total() {
      return numbers.total;
    },
  };
}
