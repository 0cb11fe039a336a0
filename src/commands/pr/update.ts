import { defineCommand } from "../../app/define.ts";
import { choice } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { compareCommits } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullRequest, pullUpdate } from "../../forge/pulls.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findConflict } from "./conflict.ts";
import { findPull, pullSelector } from "./find.ts";
import {
  headBranch,
  isFromFork,
  isHeadDeleted,
  type PullContext,
  pullName,
  refusedError,
  requireOpen,
} from "./pull.ts";
import { shortList } from "./refusal.ts";

/** `tongs pr update`: POST the update of the head branch from its base. */
export const update = defineCommand({
  summary: "Update a pull request branch from its base",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: { style: choice(["merge", "rebase"], "merge the base branch into it, or rebase it (default: merge)") },
  output: pullRequest,
  exits: { ok: "updated, or already up to date", refused: "the branches conflict, or it is merged or closed" },
  examples: [
    ["Merge the base branch into it", "tongs pr update 12"],
    ["Rebase it onto the base branch", "tongs pr update 12 --style rebase"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const before = await findPull(args.pr, context);
    const { number } = before;
    const name = pullName(context, number);
    const { style } = flags;
    const after = await updateHead(context, before, style).catch(async (error: unknown) => {
      if (!(error instanceof HttpError) || !(await isUpToDate(context, { number, style, error }))) throw error;
      return call(http, pullGet, { repo, index: number });
    });
    if (after.head.sha === before.head.sha)
      return out.done(`Pull request ${name} is already up to date`, { record: after, unchanged: true });
    const how = flags.style === "rebase" ? "rebased" : "merged its base";
    await out.done(`Updated pull request ${name} (${how}) ${accountLabel(server)}`, { record: after });
  },
});

/** Pauses before the update is sent again, in milliseconds. */
const pauses = [1_000, 3_000, undefined];

/**
 * Updates the head, and returns the pull request with its new head, or the old one if that has the base. Right after a push to the
 * base a server can answer 200 and do nothing (docs/server-differences.md, "Pull requests: updating"): it is asked again.
 */
async function updateHead(context: PullContext, before: PullRequest, style: Refusal["style"]): Promise<PullRequest> {
  const { http, repo, system } = context;
  const { number } = before;
  for (const pause of pauses) {
    await call(http, pullUpdate, { repo, index: number, style });
    const after = await call(http, pullGet, { repo, index: number });
    if (after.head.sha !== before.head.sha || (await isBaseInHead(context, after))) return after;
    if (pause !== undefined) await system.sleep(pause, system.signal);
  }
  const message = `${pullName(context, number)} was not updated: the server accepted it, but the head is still ${before.head.sha.slice(0, 10)}`;
  throw new Failure("ignored", message, { hint: "Try again in a minute." });
}

interface Refusal {
  readonly number: number;
  readonly style: "merge" | "rebase" | undefined;
  readonly error: HttpError;
}

/**
 * Whether the refusal means that there is nothing to do (500 on both servers). Throws the explained error otherwise.
 */
async function isUpToDate(context: PullContext, refusal: Refusal): Promise<boolean> {
  const { number, style, error } = refusal;
  if (error.status === 404 || error.status === 401) return false;
  const { http, repo } = context;
  const name = pullName(context, number);
  const pull = await call(http, pullGet, { repo, index: number }).catch(() => undefined);
  if (pull === undefined) return false;
  // Forgejo answers 422 without a message (docs/server-differences.md, "Pull requests: updating").
  requireOpen(pull, name);
  if (error.status === 409) {
    const { files } = await findConflict(context, pull);
    const hint = `${files.length > 0 ? `Changed on both sides: ${shortList(files)}\n` : ""}Resolve the conflict locally and push: tongs pr checkout ${number}`;
    const failed = style === "rebase" ? "be rebased" : "be updated";
    throw refusedError("conflict", `${name} cannot ${failed}: it conflicts with its base branch`, {
      hint,
      cause: error,
    });
  }
  if (error.status === 403 && error.serverMessage === "") {
    const { status, method, path } = error;
    throw new Failure("forbidden", `You are not allowed to update ${name}`, {
      status,
      method,
      path,
      cause: error,
      hint: denialHint(style, pull.base?.repo?.allow_rebase_update, isFromFork(pull) && !pull.allow_maintainer_edit),
    });
  }
  if (error.status !== 500) return false;
  if (isHeadDeleted(pull))
    throw refusedError("head_deleted", `The head branch of ${name} was deleted`, { cause: error });
  return /is up to date/.test(error.serverMessage) || (await isBaseInHead(context, pull));
}

/** Whether the head contains every commit of its base. The record's `merge_base` may be older than the last push. */
async function isBaseInHead({ http, repo }: PullContext, pull: PullRequest): Promise<boolean> {
  if (!pull.head?.sha || !pull.base?.sha) return false;
  if (pull.merge_base === pull.base.sha) return true;
  const [head, base] = [
    { sha: pull.head.sha, branch: headBranch(pull) },
    { sha: pull.base.sha, branch: pull.base.ref },
  ];
  try {
    const missing = await compareCommits(http, repo, head, base, { files: false });
    return missing.total_commits === 0;
  } catch (error) {
    // The comparison only explains the refusal: if it fails, the refusal itself is reported.
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

function denialHint(style: string | undefined, rebaseAllowed: boolean | undefined, closedFork: boolean): string {
  if (style === "rebase" && rebaseAllowed === false) return "The repository does not allow updating by rebase.";
  if (closedFork) return "The author does not allow edits by maintainers.";
  return "You need write access to the head branch.";
}
