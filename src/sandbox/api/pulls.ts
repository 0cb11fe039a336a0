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
import { listReply, pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { fail, found, json, notFound, type Reply, refuse, text } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { headRef, resolveHead } from "../pulls/reviews.ts";
import { commitsJson, partsOf } from "../serializers/commits.ts";
import { listedPullJson, pullJson } from "../serializers/pulls.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { commentsOf, pullAt, pullsOf } from "../state/issues.ts";
import { by, descending } from "../state/order.ts";
import type { PullRecord } from "../state/records/issues.ts";

export const reading = { repo: "pulls", hidden: true } as const;
export const writing = { ...reading, signedIn: true } as const;

/** Pull requests: reading them, their commits and files. */
export const pulls: Area = [
  route(pullList, reading, listPulls),
  route(pullGet, reading, async (call) => diffReply(call) ?? pullJson(call, findPull(call))),
  route(pullGetByBranches, reading, byBranches),
  route(pullCommitList, reading, commits),
  route(pullFileList, reading, files),
  route(pullMergeCheck, reading, (call) => void found(findPull(call).pull.merged ?? undefined)),
];

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
async function byBranches(call: Call<typeof reading>) {
  requireCode(call);
  const { site, repo } = call;
  const head = resolveHead(site, call.currentUser, repo, call.param("head"), "not found");
  const pull = pullsOf(site.store, repo.id).find(
    ({ pull }) => pull.base === call.param("base") && pull.headRepoId === head.repo.id && pull.head === head.branch,
  );
  const isBranch = (await branchTip({ site, repo: head.repo }, head.branch)) !== undefined;
  return pullJson(call, found(isBranch ? pull : undefined));
}

/** `GET /repos/{owner}/{repo}/pulls` (docs/server-differences.md, "Pull requests: listing"). */
export async function listPulls(call: Call<typeof reading>) {
  requireCode(call);
  const { site, repo, query } = call;
  const pulls = withLabels(pullsOf(site.store, repo.id).filter(filterOf(call)), labelsAsked(query));
  const order = ordersOf(site).get(query.get("sort") ?? "") ?? descending<PullRecord>("index");
  return listReply(call, pulls.sort(order), listedPullJson);
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

/** The orders of the list that tongs asks for. */
function ordersOf({ store }: Site) {
  const updated = ({ updated_at }: PullRecord) => Date.parse(updated_at);
  const comments = ({ repoId, index }: PullRecord) => commentsOf(store, repoId, index).length;
  return new Map([
    ["oldest", by<PullRecord>("index")],
    ["recentupdate", descending<PullRecord>(updated, "index")],
    ["leastupdate", by<PullRecord>(updated, "index")],
    ["mostcomment", descending<PullRecord>(comments, "index")],
  ]);
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
async function commits(call: Call<typeof reading>) {
  const { repo, query } = call;
  const { start, end } = await rangeOf(call);
  const ids = start === "" ? [] : await listCommits(call, [`${start}..${end}`]);
  const page = pageOf(query);
  const commits = await commitsJson(call, repo, pageItems(ids, page), { ...partsOf(query), stat: true });
  return json(200, commits, pageHeaders(call, ids.length, page, "page"));
}

const whitespace: Readonly<Record<string, string>> = {
  "ignore-all": "-w",
  "ignore-change": "-b",
  "ignore-eol": "--ignore-space-at-eol",
};

/** A diff that ignores whitespace has all files, too: those without other changes count 0 lines. */
async function files(call: Call<typeof reading>) {
  const { start, end } = await rangeOf(call);
  const flag = whitespace[call.query.get("whitespace") ?? ""];
  const all = await changedFiles(call, start, end, flag === undefined ? [] : [flag]);
  return listReply(call, all, (_call, file) => fileJson(call, file, end), "page");
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

/** Throws if the code of the repository is not readable or empty. */
export function requireCode({ repo, access }: Pick<Call<typeof reading>, "repo" | "access">): void {
  const right = "user should have specific read permission or be a repo admin or a site admin";
  if (!access.atLeast("read", "code")) refuse(403, right);
  if (repo.empty) notFound();
}

/** The pull request of a path. */
export function findPull(call: Call<typeof reading>, missing?: string): PullRecord {
  requireCode(call);
  return found(pullAt(call.site.store, call.repo.id, call.number("index")), missing);
}

/** The error message of some operations for an unknown pull request. */
export function pullNotFound(repoId: number): string {
  const ids = `id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${repoId}`;
  return `pull request does not exist [${ids}, head_branch: , base_branch: ]`;
}
