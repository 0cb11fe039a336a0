import { defineCommand } from "../../app/define.ts";
import { type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { cancelScheduledMerge, scheduleMerge } from "./auto-merge.ts";
import { findPull } from "./find.ts";
import { attemptMerge } from "./merge-attempt.ts";
import { headAsked, isWhole, mergeBody, mergeExclusive, mergeFlags, styleAsked } from "./merge-options.ts";
import { headMoved } from "./merge-refusals.ts";
import { pullSelector } from "./selector.ts";
import { headIsGone, isFromFork, type PullContext, pullName } from "./subject.ts";

/** `tongs pr merge`: POST the merge of a pull request; one request when number and style are given. */
export const merge = defineCommand({
  summary: "Merge a pull request",
  details:
    "Without --style the repository's own default is used. While the server works out whether the pull request can be " +
    "merged, the merge is tried again for up to 15 s; a conflict is refused with its files named.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: mergeFlags,
  exclusive: mergeExclusive,
  output: pullRequest,
  exits: { refused: "it cannot be merged as it is: conflict, rule, draft, merged already, another head" },
  examples: [
    ["Rebase and merge", "tongs pr merge 12 --style rebase"],
    ["Squash, with a title of your own", 'tongs pr merge 12 --style squash --title "Add the buoys (#12)"'],
    ["Merge what was reviewed, and nothing newer", "tongs pr merge 12 --match-head 3f2a9c1"],
    ["Merge by itself once the checks succeed", "tongs pr merge 12 --auto --delete-branch"],
  ],
  async run(context) {
    const { args, flags, forge, repo, server, out, system } = context;
    let pull = args.pr.by === "number" ? undefined : await findPull(args.pr, context);
    const number = args.pr.by === "number" ? args.pr.number : (pull?.number ?? 0);
    const name = pullName(context, number);
    const record = () => forge.pulls.get(repo, number);

    if (flags.cancelAuto || flags.disableAuto) {
      await cancelScheduledMerge(context, number);
      await out.done(`Cancelled the scheduled merge of ${name} ${accountLabel(server)}`, { record });
      return;
    }

    const known = async () => {
      pull ??= await forge.pulls.get(repo, number);
      return pull;
    };
    const head = headAsked(flags);
    const style = styleAsked(flags) ?? (await known()).base?.repo?.default_merge_style ?? "merge";
    const body = await mergeBody(system, flags, style);
    if (styleAsked(flags) === undefined) out.note(`Merging by ${style}, the default of ${fullName(repo)}`);
    const head_commit_id = head === undefined ? undefined : await wholeHead(head, name, flags.auto, known);
    const MergeCommitID = body.MergeCommitID && (await wholeCommit(context, body.MergeCommitID));

    const tried = { number, body: { ...body, head_commit_id, MergeCommitID } };
    const outcome = flags.auto ? await scheduleMerge(context, tried) : await attemptMerge(context, tried);
    if (outcome === "scheduled") {
      await out.done(`Scheduled the merge of ${name} (${style}) ${accountLabel(server)}`, { record });
      return;
    }
    const after = flags.deleteBranch ? await record() : undefined;
    if (after !== undefined) sayIfBranchStays(context, after);
    await out.done(`Merged ${name} (${style}) ${accountLabel(server)}`, { record: after ?? record });
  },
});

/** The whole hash of the pinned head. A shortened one is held against the pull request: the servers refuse it. */
async function wholeHead(
  wanted: string,
  name: string,
  scheduling: boolean,
  known: () => Promise<PullRequest>,
): Promise<string> {
  // The servers look at it when they merge, not when they schedule.
  if (isWhole(wanted) && !scheduling) return wanted;
  const head = (await known()).head?.sha ?? "";
  if (!head.startsWith(wanted)) throw headMoved(name, head, wanted);
  return head;
}

async function wholeCommit({ forge, repo }: PullContext, typed: string): Promise<string> {
  return isWhole(typed) ? typed : (await forge.commits.get(repo, typed)).sha;
}

/** Gitea says nothing when the head branch could not be deleted. */
function sayIfBranchStays({ out }: PullContext, pull: PullRequest): void {
  if (headIsGone(pull)) return;
  const why = isFromFork(pull) ? `it is in ${pull.head?.repo?.full_name}` : "the server kept it";
  out.warn(`The head branch ${pull.head?.ref} was not deleted: ${why}`);
}
