import { defineCommand } from "../../app/define.ts";
import { explainDenied } from "../../app/denied.ts";
import { choice } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { compareCommits } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet, pullRequest, pullUpdate } from "../../forge/pulls.ts";
import { HttpError, ifFound } from "../../http/errors.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { findPull, pullSelector } from "./find.ts";
import { headBranch, isHeadDeleted, type PullContext, pullName, requireOpen } from "./pull.ts";
import { shortList } from "./refusal.ts";
import { findConflict } from "./why-mergeability.ts";

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
    const unchanged = (record: PullRequest) =>
      out.done(`Pull request ${name} is already up to date`, { record, unchanged: true });
    const after = await updateHead(context, before, style).catch(async (error: unknown) => {
      if (!(error instanceof HttpError) || !(await isUpToDate(context, number, style, error)))
        throw explainDenied(error, `Cannot update ${name}`, "users with write access to its head branch");
      return call(http, pullGet, { repo, index: number });
    });
    if (after.head.sha === before.head.sha) return unchanged(after);
    const how = flags.style === "rebase" ? "rebased" : "merged its base";
    await out.done(`Updated pull request ${name} (${how}) ${accountLabel(server)}`, { record: after });
  },
});

type Style = "merge" | "rebase" | undefined;

/** Pauses before the update is sent again, in milliseconds. */
const pauses = [1_000, 3_000, undefined];

/**
 * Updates the head, and returns the pull request with its new head, or the old one if that has the base. Right after a push to the
 * base a server can answer 200 and do nothing (docs/server-differences.md, "Pull requests: updating"): it is asked again.
 */
async function updateHead(context: PullContext, before: PullRequest, style: Style): Promise<PullRequest> {
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

/**
 * Whether the refusal means that there is nothing to do (500 on both servers). Throws the explained error otherwise.
 */
async function isUpToDate(context: PullContext, number: number, style: Style, error: HttpError): Promise<boolean> {
  if (error.status === 404 || error.status === 401) return false;
  const { http, repo } = context;
  const name = pullName(context, number);
  const pull = await call(http, pullGet, { repo, index: number }).catch(() => undefined);
  if (pull === undefined) return false;
  // Forgejo answers 422 without a message (docs/server-differences.md, "Pull requests: updating").
  requireOpen(pull, context);
  if (error.status === 409) {
    const { files } = await findConflict(context, pull);
    const both = files.length > 0 ? `Changed on both sides: ${shortList(files)}\n` : "";
    const hint = `${both}Resolve the conflict locally and push: ${commandIn(context, `tongs pr checkout ${number}`)}`;
    const failed = style === "rebase" ? "be rebased" : "be updated";
    throw new Failure("conflict", `${name} cannot ${failed}: it conflicts with its base branch`, {
      hint,
      cause: error,
    });
  }
  if (error.status !== 500) return false;
  if (isHeadDeleted(pull))
    throw new Failure("head_deleted", `The head branch of ${name} was deleted`, { cause: error });
  return /is up to date/.test(error.serverMessage) || (await isBaseInHead(context, pull));
}

/** Whether the head contains every commit of its base, by the record or by a comparison: `merge_base` may be older than the last push. */
async function isBaseInHead({ http, repo }: PullContext, pull: PullRequest): Promise<boolean> {
  if (pull.merge_base === pull.base.sha) return true;
  const [head, base] = [
    { sha: pull.head.sha, branch: headBranch(pull) },
    { sha: pull.base.sha, branch: pull.base.ref },
  ];
  // The comparison only explains the refusal: if it fails, the refusal itself is reported.
  const missing = await ifFound(compareCommits(http, repo, head, base, { files: false }));
  return missing?.total_commits === 0;
}
