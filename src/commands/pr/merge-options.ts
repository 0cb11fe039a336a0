import { givenText } from "../../app/input.ts";
import { choice, type FlagValues, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { MergePullRequestOption } from "../../forge/pulls.ts";
import { type MergeStyle, mergeStyles } from "../../forge/repos.ts";
import type { System } from "../../system/system.ts";

const hidden = { hidden: true };

/** The flags of `pr merge`; the hidden ones are gh's spellings. */
export const mergeFlags = {
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

export type MergeFlags = FlagValues<typeof mergeFlags>;

/** Keys of which at most one may be given. */
export const mergeExclusive = [
  ["style", "squash", "rebase", "merge"],
  ["auto", "cancelAuto", "disableAuto"],
  ["auto", "force"],
  ["auto", "admin"],
  ["title", "subject"],
  ["message", "messageFile", "body", "bodyFile"],
  ["matchHead", "matchHeadCommit"],
] as const;

/** The style that was asked for, however it was spelled. */
export function styleAsked(flags: MergeFlags): MergeStyle | undefined {
  if (flags.squash) return "squash";
  if (flags.rebase) return "rebase";
  return flags.merge ? "merge" : flags.style;
}

/** The head that was pinned, in hex digits. */
export function headAsked(flags: MergeFlags): string | undefined {
  const typed = flags.matchHead ?? flags.matchHeadCommit;
  if (typed === undefined) return undefined;
  if (!/^[0-9a-f]{4,64}$/i.test(typed)) {
    throw new UsageError(`--match-head wants the hash of a commit, not '${typed}'`);
  }
  return typed.toLowerCase();
}

/** Whether a hash is whole: SHA-1 or SHA-256. */
export function isWhole(sha: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha);
}

/** The body of the merge, without what has to be asked for first. Refuses flags that the style would ignore. */
export async function mergeBody(system: System, flags: MergeFlags, style: MergeStyle): Promise<MergePullRequestOption> {
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
