import { pullCommitList, pullFileList } from "../../forge/pulls.ts";
import { listCommits } from "../git/commits.ts";
import { changedFiles, type FileDiff } from "../git/diff.ts";
import { mergeBaseOf } from "../git/merge.ts";
import { branchTip } from "../git/refs.ts";
import { pageHeaders, pageInfoHeaders, pageItems, pageOf } from "../http/paging.ts";
import { json, type Reply } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { commitsJson, partsOf } from "../serializers/commits.ts";
import { findPull, reading } from "./pull-shared.ts";

/** The commits and the changed files of a pull request. */
export const pullContents: Area = {
  routes: [route(pullCommitList, reading, commits), route(pullFileList, reading, files)],
};

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
