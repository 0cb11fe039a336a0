import {
  pullCommitList,
  pullFileList,
  pullGet,
  pullGetByBranches,
  pullList,
  pullMergeCheck,
} from "../../forge/pulls.ts";
import { listCommits } from "../git/commits.ts";
import { changedFiles, diffText, type FileDiff } from "../git/diff.ts";
import { mergeBaseOf } from "../git/merge.ts";
import { branchTip } from "../git/refs.ts";
import { pageHeaders, pageInfoHeaders, pageItems, pageOf } from "../http/paging.ts";
import { empty, fail, found, json, notFound, type Reply, refuse, text } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { epoch } from "../http/time.ts";
import { syncHeads, updatePulls } from "../pulls/lifecycle.ts";
import { resumeSchedules } from "../pulls/merging.ts";
import { headRef, resolveHead } from "../pulls/reviews.ts";
import { commitsJson, partsOf } from "../serializers/commits.ts";
import { pullJson, pullsJson } from "../serializers/pulls.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { commentsOf, pullAt, pullsOf } from "../state/issues.ts";
import { by } from "../state/order.ts";
import type { PullRecord } from "../state/records/issues.ts";
import { findPull, reading, requireCode } from "./pull-shared.ts";

/** Pull requests: reading them, their commits and files, and updates after branch changes. */
export const pulls: Area = {
  routes: [
    route(pullList, reading, listPulls),
    route(pullGet, reading, async (call) => diffReply(call) ?? json(200, await pullJson(call, findPull(call)))),
    route(pullGetByBranches, reading, byBranches),
    route(pullCommitList, reading, commits),
    route(pullFileList, reading, files),
    route(pullMergeCheck, reading, (call) => (findPull(call).pull.merged === null ? notFound() : empty(204))),
  ],
  refsChanged: updatePulls,
  started: (site) => {
    site.later(0, () => site.store.write(() => syncHeads(site)));
    resumeSchedules(site);
  },
};

/** `12.diff` and `12.patch`: the output of git. Undefined for other paths. */
function diffReply(call: Call<typeof reading>): Promise<Reply> | undefined {
  const [, index, kind] = /^(\d+)\.(diff|patch)$/.exec(call.param("index")) ?? [];
  if (index === undefined) return undefined;
  requireCode(call);
  const { site, repo } = call;
  const { pull } = found(pullAt(site.store, repo.id, Number(index)));
  const range = `${pull.mergeBase}...${headRef(Number(index))}`;
  return diffText(call, range, kind === "patch" ? "patch" : "diff", call.flag("binary")).then((out) =>
    text(200, out, "text/plain; charset=utf-8"),
  );
}

/** The first pull request between two branches, open or closed. */
async function byBranches(call: Call<typeof reading>): Promise<Reply> {
  requireCode(call);
  const { site, repo } = call;
  const head = resolveHead(site, call.currentUser, repo, call.param("head"), "not found");
  const pull = pullsOf(site.store, repo.id).find(
    ({ pull }) => pull.base === call.param("base") && pull.headRepoId === head.repo.id && pull.head === head.branch,
  );
  const isBranch = (await branchTip({ site, repo: head.repo }, head.branch)) !== undefined;
  return json(200, await pullJson(call, found(isBranch ? pull : undefined)));
}

/** `GET /repos/{owner}/{repo}/pulls` (docs/server-differences.md, "Pull requests: listing"). */
export async function listPulls(call: Call<typeof reading>): Promise<Reply> {
  requireCode(call);
  const { site, repo, query } = call;
  const pulls = withLabels(pullsOf(site.store, repo.id).filter(filterOf(call)), labelsAsked(query));
  const orders = ordersOf(site);
  const sorted = pulls.sort(by(...(orders[query.get("sort") ?? ""] ?? [newest])));
  const page = pageOf(query);
  const results = await pullsJson(call, pageItems(sorted, page));
  return json(200, results, pageHeaders(call, sorted.length, page, "total and link"));
}

function filterOf({ site, query }: Call<typeof reading>): (pull: PullRecord) => boolean {
  const state = query.get("state");
  const base = query.get("base_branch") ?? query.get("base") ?? "";
  const head = query.get("head") ?? "";
  const milestone = Number.parseInt(query.get("milestone") ?? "", 10) || 0;
  const name = query.get("poster") ?? "";
  const poster = name === "" ? undefined : userNamed(site.store, name);
  if (name !== "" && poster === undefined) refuse(400, `user does not exist [uid: 0, name: ${name}]`);
  return (pull) =>
    ((state !== "open" && state !== "closed") || pull.state === state) &&
    (base === "" || pull.pull.base === base) &&
    (head === "" || pull.pull.head === head) &&
    (milestone <= 0 || pull.milestoneId === milestone) &&
    (poster === undefined || pull.posterId === poster.id);
}

function labelsAsked(query: URLSearchParams): number[] {
  const texts = query.getAll("labels").filter((text) => text !== "");
  const invalid = texts.find((text) => !/^[+-]?\d+$/.test(text));
  if (invalid !== undefined) fail(`strconv.ParseInt: parsing "${invalid}": invalid syntax`);
  return texts.map(Number);
}

/** Filters by any of the labels. A pull request with two of them is listed twice. */
function withLabels(pulls: readonly PullRecord[], labels: readonly number[]): PullRecord[] {
  if (labels.length === 0) return [...pulls];
  return pulls.flatMap((pull) => labels.filter((id) => pull.labels.includes(id)).map(() => pull));
}

type Key = (pull: PullRecord) => number;

const oldest: Key = ({ index }) => index;
const newest: Key = ({ index }) => -index;
const reversed =
  (key: Key): Key =>
  (pull) =>
    -key(pull);

/** The keys of each order of the list. */
function ordersOf({ store, table }: Site): Readonly<Record<string, readonly Key[]>> {
  const updated: Key = ({ updated_at }) => Date.parse(updated_at);
  const closed: Key = ({ closed_at }) => Date.parse(closed_at ?? epoch);
  const comments: Key = ({ repoId, index }) => commentsOf(store, repoId, index).length;
  // The earlier due date of a pull request and its milestone; those without a date are last.
  const due =
    (direction: 1 | -1): Key =>
    ({ due_date, milestoneId }) => {
      const dates = [due_date, table("milestones").get(milestoneId ?? 0)?.due_on];
      const times = dates.flatMap((date) => (date ? [Date.parse(date)] : []));
      return times.length > 0 ? direction * Math.min(...times) : Number.MAX_SAFE_INTEGER;
    };
  return {
    oldest: [oldest],
    recentupdate: [reversed(updated), newest],
    leastupdate: [updated, oldest],
    recentclose: [reversed(closed), newest],
    mostcomment: [reversed(comments), newest],
    leastcomment: [comments, newest],
    nearduedate: [due(1), oldest],
    farduedate: [due(-1), newest],
  };
}

/** The merge base and the head; the merge base is empty for unrelated histories. */
async function rangeOf(call: Call<typeof reading>): Promise<{ readonly start: string; readonly end: string }> {
  const { pull } = findPull(call);
  const tip = await branchTip(call, pull.base);
  const isFixed = pull.merged !== null || tip === undefined;
  const start = isFixed ? pull.mergeBase : await mergeBaseOf(call, tip, pull.headSha);
  return { start, end: pull.headSha };
}

/** Newest first. */
async function commits(call: Call<typeof reading>): Promise<Reply> {
  const { repo, query } = call;
  const { start, end } = await rangeOf(call);
  const ids = start === "" ? [] : await listCommits(call, [`${start}..${end}`]);
  const shown = pageItems(ids, pageOf(query));
  const commits = await commitsJson(call, repo, shown, { ...partsOf(query), stat: true });
  return json(200, commits, headersOf(call, ids.length));
}

const whitespace: Readonly<Record<string, string>> = {
  "ignore-all": "-w",
  "ignore-change": "-b",
  "ignore-eol": "--ignore-space-at-eol",
};

/** A diff that ignores whitespace has all files, too: those without other changes count 0 lines. */
async function files(call: Call<typeof reading>): Promise<Reply> {
  const { start, end } = await rangeOf(call);
  const flag = whitespace[call.query.get("whitespace") ?? ""];
  const all = await changedFiles(call, start, end, flag === undefined ? [] : [flag]);
  const page = pageItems(all, pageOf(call.query));
  return json(
    200,
    page.map((file) => fileJson(call, file, end)),
    headersOf(call, all.length),
  );
}

function fileJson(call: Call<typeof reading>, file: FileDiff, sha: string): Record<string, unknown> {
  const { api, web } = pathOf(call, call.repo);
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    filename: file.path,
    ...(file.from === undefined ? {} : { previous_filename: file.from }),
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    html_url: `${web}/src/commit/${sha}/${path}`,
    contents_url: `${api}/contents/${path}?ref=${sha}`,
    raw_url: `${web}/raw/commit/${sha}/${path}`,
  };
}

function headersOf(call: Call<typeof reading>, total: number): Record<string, string> {
  const page = pageOf(call.query);
  return { ...pageHeaders(call, total, page, "total and link"), ...pageInfoHeaders(total, page) };
}
