import {
  commitCompare,
  commitGet,
  commitList,
  latestStatusList,
  statusCreate,
  statusList,
} from "../../forge/commits.ts";
import { listCommits, readCommit } from "../git/commits.ts";
import { diffText } from "../git/diff.ts";
import { git, gitOrUndefined } from "../git/git.ts";
import { commitOf } from "../git/refs.ts";
import { isRefName } from "../http/form.ts";
import { listReply, pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { fail, found, json, notFound, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { wrongTime } from "../http/time.ts";
import { mergeSoon } from "../pulls/merging.ts";
import { copyCommit, resolveHead } from "../pulls/reviews.ts";
import { latestStatuses, newStatus, statusesOf } from "../pulls/statuses.ts";
import { combinedJson, commitsJson, partsOf, statusJson } from "../serializers/commits.ts";
import { openPulls } from "../state/issues.ts";
import { descending } from "../state/order.ts";
import type { RepoRecord } from "../state/records/repos.ts";

const read = { repo: "code" } as const;

const reading = { repo: "code", slashes: true } as const;
const creation = { repo: "code", signedIn: true, right: "write" } as const;

/** Commits and comparisons. */
export const commits: Area = [
  route(commitList, read, list),
  route(commitGet, read, async (call) => {
    const [, sha = "", type] = /^(.*?)(?:\.(diff|patch))?$/s.exec(call.param("sha")) ?? [];
    if (!isRefName(sha)) refuse(422, `no valid ref or sha: ${sha}`);
    const id = found(await commitOf(call, sha), `commit doesn't exist: ${sha}`);
    if (type !== undefined) return text(200, await changes(call, id, type), "text/plain; charset=utf-8");
    const [commit] = await commitsJson(call, call.repo, [id], partsOf(call.query));
    return commit;
  }),
  route(commitCompare, read, compare),
  // Commit statuses (docs/server-differences.md, "Commit statuses").
  route(statusCreate, creation, createStatus),
  route(statusList, reading, listStatuses),
  route(latestStatusList, reading, async (call) => {
    const { site, repo } = call;
    const sha = await resolveCommit(call);
    const latest = latestStatuses(site, repo.id, sha);
    const page = pageOf(call.query);
    const combined = await combinedJson(call, repo, sha, latest, pageItems(latest, page));
    return json(200, combined, pageHeaders(call, latest.length, page, "total and link"));
  }),
];

/**
 * Lists commits of `sha` (a branch, tag or commit), newest first, filtered by `path`, `not` (a ref whose commits are
 * left out), `since` and `until`. Sends additional paging headers.
 */
async function list(call: Call<typeof read>) {
  const { repo, query } = call;
  if (repo.empty) refuse(409, "Git Repository is empty.");
  const from = query.get("sha") || repo.default_branch;
  const tip = found(await commitOf(call, from), notThere(from));
  const path = query.get("path");
  const without = query.get("not");
  const not = without ? ["--not", found(await commitOf(call, without), notThere(without))] : [];
  const times = ["since", "until"].flatMap((name) => timeArgument(query, name));
  const ids = await listCommits(call, [...times, tip, ...not, ...(path ? ["--", path] : [])]);
  if (path && ids.length === 0) notFound();
  const page = pageOf(query);
  return json(200, await commitsJson(call, repo, pageItems(ids, page), partsOf(query)), {
    ...pageHeaders(call, ids.length, page, "page"),
    "X-Total": String(ids.length),
    "Access-Control-Expose-Headers": "Link, X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore",
  });
}

const notThere = (ref: string) => `object does not exist [id: ${ref}, rel_path: ]`;

/** An argument of `git rev-list` for a time in the query. Throws 422 if it is none. */
function timeArgument(query: URLSearchParams, name: string): string[] {
  const time = query.get(name) ?? "";
  if (time === "") return [];
  if (wrongTime(time) !== undefined) refuse(422, `invalid '${name}' format, expected ISO 8601 (RFC3339)`);
  return [`--${name}=${time}`];
}

/**
 * Compares `base...head` from the merge base, or `base..head` directly. The head may be `owner:branch` of another fork.
 */
async function compare(call: Call<typeof read>) {
  const { site, repo, query } = call;
  const [, from = "", dots = "...", to = ""] = /^(?:(.*?)(\.\.\.?))?(.*)$/s.exec(call.param("basehead")) ?? [];
  const before = await resolveRevision(call, repo, from);
  const other = resolveHead(site, call.currentUser, repo, to, "not found");
  const after = await resolveRevision(call, other.repo, other.branch);
  await copyCommit(site, other.repo, repo, after);
  const start = dots === "..." ? ((await gitOrUndefined(call, ["merge-base", before, after])) ?? before) : before;
  const output = query.get("output");
  if (output === "diff" || output === "patch")
    return text(200, await diffText(call, `${start}..${after}`, output), "text/plain; charset=utf-8");
  const ids = await listCommits(call, [`${start}..${after}`]);
  return { total_commits: ids.length, commits: await commitsJson(call, repo, ids, partsOf(query)) };
}

async function resolveRevision({ site }: Call<typeof read>, repo: RepoRecord, asked: string): Promise<string> {
  const [, name = "", suffix = ""] = /^(.*?)([~^].*)?$/s.exec(asked === "" ? repo.default_branch : asked) ?? [];
  if (suffix !== "" && !/^(\^|~\d*)+$/.test(suffix)) refuse(400, `unsupported ref suffix "${suffix}"`);
  return found(await commitOf({ site, repo }, name + suffix), `ref "${name}" does not exist`);
}

/** What a commit changed, compared with its first parent. The patch of a merge has the commits that it merged. */
async function changes({ site, repo }: Call<typeof read>, id: string, type: string): Promise<string> {
  if (type === "diff") return ended(await git({ site, repo }, ["show", "--format=", "-m", "--first-parent", id]));
  const { parents } = await readCommit({ site, repo }, id);
  const range = parents[0] === undefined ? ["--root", id] : [`${parents[0]}..${id}`];
  return ended(await git({ site, repo }, ["format-patch", "--no-signature", "--stdout", ...range]));
}

const ended = (text: string) => (text === "" ? "" : `${text}\n`);

/** Creates a status of a commit or of a branch's tip. The state is not validated. */
async function createStatus(call: Call<typeof creation, typeof statusCreate>) {
  const { site, repo, currentUser, body } = call;
  const sha = await commitOf(call, call.param("sha"));
  if (sha === undefined) fail(`object does not exist [id: ${call.param("sha")}, rel_path: ]`);
  const { state = "", context = "", target_url = "", description = "" } = body;
  const given = { repoId: repo.id, sha, creatorId: currentUser.id, status: state, context, target_url, description };
  const status = newStatus(site, given);
  for (const pull of openPulls(site.store)) {
    if (pull.repoId === repo.id && pull.pull.headSha === sha) mergeSoon(site, pull);
  }
  // Numbered together with the statuses of workflow runs.
  const counted = statusesOf(site, repo.id, sha).findLast((one) => one.context === status.context) ?? status;
  return statusJson(call, repo, { ...status, number: counted.number });
}

async function resolveCommit(call: Call<typeof reading>): Promise<string> {
  const ref = call.param("ref");
  const sha = await commitOf(call, ref);
  return sha ?? notFound(`object does not exist [id: ${ref}, rel_path: ]`);
}

const states = ["pending", "success", "error", "failure", "warning", "skipped"];

/** Lists statuses, those of the newest second first; `sort=leastindex` is newest first. An unknown `state` is ignored. */
async function listStatuses(call: Call<typeof reading>) {
  const { site, repo, query } = call;
  const state = query.get("state") ?? "";
  const all = statusesOf(site, repo.id, await resolveCommit(call));
  const fitting = all.filter(({ status }) => !states.includes(state) || status === state);
  if (query.get("sort") === "leastindex") fitting.reverse();
  else fitting.sort(descending(({ updated_at }) => Date.parse(updated_at)));
  return listReply(call, fitting, (_call, status) => statusJson(call, repo, status));
}
