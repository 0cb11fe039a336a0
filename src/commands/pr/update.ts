import { defineCommand } from "../../app/define.ts";
import { choice } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { compareCommits } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullRequest, pullUpdate } from "../../forge/pulls.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findNumber, pullSelector } from "./find.ts";
import { findConflict, shortList } from "./merge-errors.ts";
import {
  headBranch,
  isFromFork,
  isHeadDeleted,
  type PullContext,
  pullName,
  refusedError,
  requireOpen,
} from "./pull.ts";

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
    const number = await findNumber(args.pr, context);
    const name = pullName(context, number);
    const record = () => call(http, pullGet, { repo, index: number });
    try {
      await call(http, pullUpdate, { repo, index: number, style: flags.style });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (!(await isUpToDate(context, { number, style: flags.style, error }))) throw error;
      await out.done(`Pull request ${name} is already up to date`, { record, unchanged: true });
      return;
    }
    const how = flags.style === "rebase" ? "rebased" : "merged its base";
    await out.done(`Updated pull request ${name} (${how}) ${accountLabel(server)}`, { record });
  },
});

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
