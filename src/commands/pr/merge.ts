import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { choice, type FlagValues, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type MergePullRequestOption, type PullRequest, pullRequest } from "../../forge/pulls.ts";
import { type MergeStyle, mergeStyles } from "../../forge/repos.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";
import { findPull, pullSelector } from "./find.ts";
import { attemptMerge, cancelScheduledMerge, scheduleMerge } from "./merge-attempt.ts";
import { headMoved } from "./merge-errors.ts";
import { headIsGone, isFromFork, type PullContext, pullName } from "./shared.ts";

const hidden = { hidden: true };

/** The flags of `pr merge`; the hidden ones are gh's spellings. */
const mergeFlags = {
  style: choice(mergeStyles, "how to merge (default: the repository's own)", { placeholder: "STYLE" }),
  title: text("title of the merge or squash commit", { short: "t" }),
  message: text("message below the title"),
  messageFile: text("read the message from a file, or stdin (-)", { placeholder: "FILE", short: "F" }),
  mergeCommit: text("manually-merged: the commit on the base branch that holds the merge", { placeholder: "SHA" }),
  matchHead: text("merge only if this is the head, whole or shortened", { placeholder: "SHA" }),
  auto: toggle("merge by itself as soon as the checks succeed"),
  cancelAuto: toggle("take a scheduled merge back"),
  force: toggle("pass the rules of the base branch, as administrators may"),
  deleteBranch: yesNo("delete the head branch afterwards (default: as the repository is set)", { short: "d" }),
  squash: toggle("--style squash", { ...hidden, short: "s" }),
  rebase: toggle("--style rebase", { ...hidden, short: "r" }),
  merge: toggle("--style merge", { ...hidden, short: "m" }),
  subject: text("--title", hidden),
  body: text("--message", { ...hidden, short: "b" }),
  bodyFile: text("--message-file", hidden),
  matchHeadCommit: text("--match-head", hidden),
  disableAuto: toggle("--cancel-auto", hidden),
  admin: toggle("--force", hidden),
};

type MergeFlags = FlagValues<typeof mergeFlags>;

/** Keys of which at most one may be given. */
const mergeExclusive = [
  ["style", "squash", "rebase", "merge"],
  ["auto", "cancelAuto", "disableAuto"],
  ["auto", "force"],
  ["auto", "admin"],
  ["title", "subject"],
  ["message", "messageFile", "body", "bodyFile"],
  ["matchHead", "matchHeadCommit"],
] as const;

/** The style that was asked for, however it was spelled. */
function styleAsked(flags: MergeFlags): MergeStyle | undefined {
  if (flags.squash) return "squash";
  if (flags.rebase) return "rebase";
  return flags.merge ? "merge" : flags.style;
}

/** The head that was pinned, in hex digits. */
function headAsked(flags: MergeFlags): string | undefined {
  const typed = flags.matchHead ?? flags.matchHeadCommit;
  if (typed === undefined) return undefined;
  if (!/^[0-9a-f]{4,64}$/i.test(typed)) {
    throw new UsageError(`--match-head wants the hash of a commit, not '${typed}'`);
  }
  return typed.toLowerCase();
}

/** Whether a hash is whole: SHA-1 or SHA-256. */
function isWhole(sha: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha);
}

/** The body of the merge, without what has to be asked for first. Refuses flags that the style would ignore. */
async function mergeBody(system: System, flags: MergeFlags, style: MergeStyle): Promise<MergePullRequestOption> {
  const file = flags.messageFile ?? flags.bodyFile;
  const message = await givenText(system, { text: flags.message ?? flags.body, file, flag: "--message-file" });
  const title = flags.title ?? flags.subject;
  if (["rebase", "fast-forward-only", "manually-merged"].includes(style) && (title ?? message) !== undefined) {
    throw new UsageError(`The style ${style} makes no commit of its own, so it takes no title and no message`);
  }
  if ((style === "manually-merged") !== (flags.mergeCommit !== undefined)) {
    const hint = "Name the commit on the base branch that holds the merge: --style manually-merged --merge-commit SHA";
    throw new UsageError("--merge-commit and the style manually-merged belong together", hint);
  }
  return {
    Do: style,
    MergeTitleField: title,
    MergeMessageField: message,
    MergeCommitID: flags.mergeCommit,
    force_merge: flags.force || flags.admin || undefined,
    delete_branch_after_merge: flags.deleteBranch,
  };
}

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
