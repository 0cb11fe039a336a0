import { jobList } from "../../forge/jobs.ts";
import type { Level } from "../../forge/level.ts";
import { collect } from "../../forge/listings.ts";
import { notificationList } from "../../forge/notifications.ts";
import { call, find } from "../../forge/operation.ts";
import { allowanceOf, quotaGet, usedBy } from "../../forge/quotas.ts";
import { readJob } from "../../forge/read-job.ts";
import { readRun } from "../../forge/read-run.ts";
import { internalProgressOf, outcomeOf } from "../../forge/run-states.ts";
import { readRunner, runnerList, waitingJobs } from "../../forge/runners.ts";
import { runList } from "../../forge/runs.ts";
import { repoSearch } from "../../forge/search.ts";
import { versionGet } from "../../forge/server.ts";
import { releaseOf } from "../../forge/support.ts";
import type { Http } from "../../http/client.ts";
import { HttpError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { parseTypesDb } from "../../metrics/encode/types-db.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { setTime } from "../../shape/shape.ts";

/** The types of the readings, as collectd's types.db has them. */
export const forgeTypes = parseTypesDb(`
  bytes          value:GAUGE:0:U
  count          value:GAUGE:0:U
  duration       seconds:GAUGE:0:U
  gauge          value:GAUGE:U:U
  operations     value:DERIVE:0:U
  queue_length   value:GAUGE:0:U
  response_time  value:GAUGE:0:U
`);

/** A value of `forge-INSTANCE/TYPE-NAME`. */
export interface ForgeValue {
  readonly instance: string;
  readonly series: string;
  readonly value: number;
}

/** What is read, and who hears of problems. */
interface ForgeReaderOptions {
  readonly http: Http;
  readonly level: Exclude<Level, { readonly of: "repository" }>;
  readonly repos: readonly RepoName[];
  readonly now: () => Date;
  /** Called each time with what could not be read and why. */
  readonly onProblem: (problem: string) => void;
}

type Part = readonly [series: string, value: number | undefined];

/** The most requests of a round. */
const mostRequests = 10;
const pageSize = 50;

/**
 * Creates a function that reads a round, with at most ten requests: what the server has and the token may read. Repositories
 * take turns if there are too many for a round. It rejects if the server does not answer, so that the round is a gap.
 */
export function createForgeReader({ http, level, repos, now, onProblem }: ForgeReaderOptions) {
  const instance = level.of === "organization" ? level.org : level.of;
  const missing = new Set<string>();
  const labels = new Set<string>();
  const counted = repos.map((repo) => ({ repo, count: createRunCounter() }));
  let [requests, turn, product] = [0, 0, ""];

  /** Up to some pages of a list, and how many items it has; undefined if the server does not tell. Says if there are more of `what`. */
  async function firstPages<T>(listing: Listing<T>, pages: number, what?: string) {
    const items = await collect(listing, pages * pageSize);
    requests += Math.max(1, Math.ceil(items.length / pageSize));
    const isAll = items.length < pages * pageSize || items.length === listing.total;
    if (what !== undefined && !isAll) onProblem(`More than ${items.length} ${what}: not all of them are read`);
    return { items, isAll, total: listing.total ?? (isAll ? items.length : undefined) };
  }

  async function jobs(): Promise<Part[]> {
    if (product === "forgejo") {
      const { items } = await firstPages(waitingJobs(http, level, undefined), Number.POSITIVE_INFINITY);
      const waiting = items.filter(({ status }) => internalProgressOf(status).state === "queued");
      return byLabel(waiting.map((job) => job.runs_on ?? []));
    }
    const oldestFirst = { sort: "id", order: "asc" };
    const waiting = await firstPages(
      call(http, jobList, { level, status: ["queued"], ...oldestFirst }),
      2,
      "waiting jobs",
    );
    const running = await firstPages(call(http, jobList, { level, status: ["in_progress"] }), 1);
    return [
      ["duration-oldest_waiting", age(waiting.items.map((job) => job.created_at))],
      ["queue_length-running", running.total],
      ...(waiting.isAll
        ? byLabel(waiting.items.map((job) => readJob(job).labels))
        : [["queue_length-waiting", waiting.total] as const]),
    ];
  }

  /** How many jobs wait, and how many for each label; 0 for one that some waited for before. */
  function byLabel(waiting: readonly (readonly string[])[]): Part[] {
    for (const label of waiting.flat()) labels.add(label);
    const count = (label: string) => waiting.filter((of) => of.includes(label)).length;
    const each = [...labels].map((label): Part => [`queue_length-waiting_${label}`, count(label)]);
    return [["queue_length-waiting", waiting.length], ...each];
  }

  async function runners(): Promise<Part[]> {
    const { items, isAll } = await firstPages(call(http, runnerList, { level }), 2, "runners");
    if (!isAll) return [];
    const facts = items.map((one) => ({ ...readRunner(one), isEnabled: one.disabled !== true }));
    return [
      ["count-runners_online", facts.filter(({ isOnline }) => isOnline).length],
      ["count-runners_busy", facts.filter(({ isBusy }) => isBusy).length],
      ["count-runners_idle", facts.filter((one) => one.isOnline && one.isEnabled && !one.isBusy).length],
    ];
  }

  async function mirrors(): Promise<Part[]> {
    const listing = call(http, repoSearch, { mode: "mirror", sort: "updated", order: "asc" });
    const { items, isAll } = await firstPages(listing, 1, "mirrors");
    if (!isAll) return [];
    const isOwn = (owner: string | undefined) => level.of !== "organization" || owner === level.org;
    const own = items.filter(({ mirror, owner }) => mirror === true && isOwn(owner?.login));
    return [
      ["count-mirrors", own.length],
      ["duration-oldest_mirror", age(own.map((one) => one.mirror_updated))],
    ];
  }

  async function quota(): Promise<Part[]> {
    requests += 1;
    const of = level.of === "server" ? ({ of: "user" } as const) : level;
    const info = await find(http, quotaGet, { level: of });
    if (info === undefined) return [];
    const room = allowanceOf(info, "size:all")?.room;
    return [
      ["bytes-used", usedBy(info, "size:all")],
      ["bytes-left", room !== undefined && Number.isFinite(room) ? room : undefined],
      ["bytes-packages", usedBy(info, "size:assets:packages:all")],
    ];
  }

  async function notifications(): Promise<Part[]> {
    return [["count-notifications", (await firstPages(call(http, notificationList, {}), 1)).total]];
  }

  /** The seconds since the first of some times; 0 without any. */
  function age(times: readonly (string | null | undefined)[]): number {
    const known = times.map((time) => Date.parse(setTime(time) ?? "")).filter(Number.isFinite);
    return Math.max(0, ...known.map((time) => (now().getTime() - time) / 1000));
  }

  /** Reads something, unless the server or the token has been found to lack it. */
  async function part(of: string, name: string, read: () => Promise<Part[]>): Promise<ForgeValue[]> {
    if (missing.has(name)) return [];
    try {
      const parts = await read();
      return parts.flatMap(([series, value]) => (value === undefined ? [] : [{ instance: of, series, value }]));
    } catch (error) {
      if (!(error instanceof HttpError) || error.status === 401) throw error;
      const isMissing = error instanceof UnknownOperationError;
      if (isMissing || error instanceof NotFoundError || error.exit === "denied") missing.add(name);
      if (!isMissing) onProblem(`Cannot read ${name}: ${error.message}`);
      return [];
    }
  }

  return async function readRound(): Promise<readonly ForgeValue[]> {
    const began = performance.now();
    requests = 1;
    const { version } = await call(http, versionGet, {});
    product = releaseOf(version)?.product ?? "gitea";
    const found: ForgeValue[] = [
      { instance, series: "response_time", value: (performance.now() - began) / 1000 },
      { instance, series: `gauge-version_${version}`, value: 1 },
    ];
    const sources = { jobs, runners, mirrors, quota, notifications };
    for (const [name, read] of Object.entries(sources)) found.push(...(await part(instance, name, read)));
    const most = Math.min(repos.length, Math.max(1, mostRequests - requests));
    for (let index = 0; index < most; index += 1, turn += 1) {
      const { repo, count } = counted[turn % repos.length] ?? {};
      if (repo === undefined) break;
      const read = async () => {
        const listing = call(http, runList, { level: { of: "repository", repo } });
        return count?.((await firstPages(listing, 1)).items.map((run) => ({ id: run.id, ...readRun(run) }))) ?? [];
      };
      // Neither an owner nor a name has a plus.
      found.push(...(await part(`${repo.owner}+${repo.name}`, `the runs of ${fullName(repo)}`, read)));
    }
    return found;
  };
}

type RunFacts = ReturnType<typeof readRun> & { readonly id: number };

/**
 * Creates a function that takes the newest runs of a repository again and again. For each workflow, it returns how many have
 * finished since it was created, by outcome, and how long the last one took that succeeded or failed.
 */
function createRunCounter() {
  const counts = new Map<string, Record<"success" | "failure" | "other", number>>();
  const lasted = new Map<string, number>();
  let before: { readonly known: ReadonlySet<string>; readonly oldest: number } | undefined;
  return (runs: readonly RunFacts[]): Part[] => {
    const known = new Set<string>();
    const endOf = ({ completed }: RunFacts) => Date.parse(completed ?? "") || 0;
    const byEnd = [...runs].sort((one, other) => endOf(one) - endOf(other));
    for (const { id, workflow, attempt, state, started, completed } of byEnd) {
      const count = counts.get(workflow) ?? { success: 0, failure: 0, other: 0 };
      counts.set(workflow, count);
      const outcome = outcomeOf(state);
      if (outcome === undefined) continue;
      const key = JSON.stringify([id, attempt, completed]);
      known.add(key);
      // An older one is there again where a newer one was deleted.
      if (before !== undefined && !before.known.has(key) && id >= before.oldest) count[outcome] += 1;
      const seconds = (Date.parse(completed ?? "") - Date.parse(started ?? "")) / 1000;
      if (outcome !== "other" && Number.isFinite(seconds)) lasted.set(workflow, seconds);
    }
    before = { known, oldest: Math.min(...runs.map(({ id }) => id)) };
    return [...counts].flatMap(([workflow, count]): Part[] => [
      [`duration-${workflow}`, lasted.get(workflow)],
      ...Object.entries(count).map(([outcome, value]): Part => [`operations-${workflow}_${outcome}`, value]),
    ]);
  };
}
