import type { RepositoryContext } from "../../app/context.ts";
import { unlessFailed } from "../../failure/failure.ts";
import { type CommitStatus, isStatusPassed, latestStatusList } from "../../forge/commits.ts";
import { contentText, fileGet, folderGet } from "../../forge/contents.ts";
import { listRuns } from "../../forge/list-runs.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { readRun } from "../../forge/read-run.ts";
import { branchPattern } from "../../text/glob.ts";
import { loadYaml } from "../../text/yaml.ts";
import { type CheckRow, type Checks, checkRows, overall } from "./check-rows.ts";
import { isFromFork } from "./pull.ts";

/** How long to wait for the first check of a commit, in milliseconds. */
const patience = { unexpected: 60_000, expected: 600_000 };

const folders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"];
const events = /\b(push|pull_request(_target|_sync)?)\b/;

/**
 * How long to wait for the first check of a commit, in milliseconds: 10 minutes if the base branch requires checks, or a
 * workflow file of the commit names an event that a push to the head causes, else 60 s.
 */
export async function firstCheckPatience(
  requires: boolean,
  sha: string,
  pull: PullRequest,
  context: RepositoryContext,
): Promise<number> {
  return requires || (await hasWorkflow(sha, pull, context)) ? patience.expected : patience.unexpected;
}

async function hasWorkflow(ref: string, pull: PullRequest, { http, repo }: RepositoryContext): Promise<boolean> {
  for (const filepath of folders) {
    for (const { path } of (await unlessFailed(call(http, folderGet, { repo, filepath, ref }))) ?? []) {
      if (!/\.ya?ml$/.test(path)) continue;
      const file = await unlessFailed(call(http, fileGet, { repo, filepath: path, ref }));
      if (file !== undefined && (await mayStart(contentText(file), pull))) return true;
    }
  }
  return false;
}

/** Whether a workflow starts at a push to the head, by its events and their branches. One that cannot be read may. */
async function mayStart(text: string, { head, base }: PullRequest): Promise<boolean> {
  if (!events.test(text)) return false;
  const { parse } = await loadYaml();
  const on = await Promise.resolve(text)
    .then((content): unknown => parse(content)?.on)
    .catch(() => undefined);
  if (!isObject(on)) return true;
  return Object.entries(on).some(([event, filters]) => {
    const { branches, "branches-ignore": ignored } = isObject(filters) ? filters : {};
    const ref = event === "push" ? head.ref : base.ref;
    const has = (globs: unknown) =>
      [globs].flat().some((glob) => typeof glob === "string" && (glob.startsWith("!") || branchPattern(glob)(ref)));
    return events.test(event) && (ignored === undefined ? branches === undefined || has(branches) : !has(ignored));
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The checks of the head of a pull request now, and whether a run waits for an approval before it reports any. */
export async function loadChecks(
  pull: PullRequest,
  required: readonly string[],
  context: RepositoryContext,
): Promise<Checks> {
  const { http, repo } = context;
  const sha = pull.head?.sha ?? "";
  const statuses = await collect(call(http, latestStatusList, { repo, ref: sha }));
  const rows = await asCounted(checkRows(statuses, required), statuses, sha, context);
  const isWaiting = rows.length === 0 || overall(rows) === "pending";
  return { sha, rows, unapproved: isWaiting ? await unlessFailed(unapprovedRun(pull, context)) : undefined };
}

/**
 * The rows as the server counts them: a warning of a required check passes on some servers only (docs/server-differences.md,
 * "Commit statuses").
 */
export async function asCounted(
  rows: readonly CheckRow[],
  statuses: readonly CommitStatus[],
  sha: string,
  { http, repo }: RepositoryContext,
): Promise<readonly CheckRow[]> {
  const isWarning = (row: CheckRow) => row.required && row.status?.status === "warning";
  const warning = rows.find(isWarning)?.status;
  if (warning === undefined) return rows;
  const place = { id: warning.id, index: statuses.indexOf(warning), count: statuses.length };
  if (await isStatusPassed(http, repo, sha, place)) return rows;
  return rows.map((row) => (isWarning(row) ? { ...row, verdict: "failed" } : row));
}

/** Says that a run waits for an approval. */
export function approvalNote(run: number): string {
  return `Run #${run} waits for an approval before any of its jobs can start: tongs run approve "#${run}"`;
}

/** The number of a run for the head of a fork that waits for an approval: none of its jobs can start without one. */
async function unapprovedRun(pull: PullRequest, { http, repo }: RepositoryContext): Promise<number | undefined> {
  if (!isFromFork(pull)) return undefined;
  const listing = listRuns(http, { of: "repository", repo }, { head_sha: pull.head.sha });
  for await (const run of listing.take(50)) if (readRun(run).state === "waiting") return readRun(run).number;
  return undefined;
}
