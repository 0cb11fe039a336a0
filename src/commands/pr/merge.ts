import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { choice, type FlagValues, inputFile, seconds, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { isFromFork, type PullRequest, pullGet, pullRequest } from "../../forge/pulls.ts";
import { type MergeStyle, mergeStyles } from "../../forge/repos.ts";
import { isHash, resolveCommit } from "../../forge/resolve-commit.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { either, list } from "../../shape/shape.ts";
import { deletedText, keptError } from "./deleted-head.ts";
import { findPull, pullSelector } from "./find.ts";
import { attemptMerge, cancelScheduledMerge, scheduleMerge } from "./merge-attempt.ts";
import { promptForMerge, withoutCommit } from "./merge-prompts.ts";
import { defaultWait, offersWait, waitForChecks } from "./merge-wait.ts";
import { headBranch, isAgit, isHeadDeleted, type PullContext, pullName, requireOpen } from "./pull.ts";
import { headChanged, refusal, requireHead } from "./refusal.ts";
import { mergedBase } from "./stack-chain.ts";
import { baseBranch } from "./status-cells.ts";

/** The flags of `pr merge`; the aliases are those of gh. */
const mergeFlags = {
  style: choice(mergeStyles, "merge style (default: the repository setting)", {
    placeholder: "STYLE",
    aliases: [
      { name: "squash", short: "s", value: "squash" },
      { name: "rebase", short: "r", value: "rebase" },
      { name: "merge", short: "m", value: "merge" },
    ],
  }),
  title: text("title of the merge or squash commit", { short: "t", aliases: [{ name: "subject" }] }),
  message: text("message of the merge or squash commit, after the title", { aliases: [{ name: "body", short: "b" }] }),
  messageFile: inputFile("read the message from a file", { short: "F", aliases: [{ name: "body-file" }] }),
  mergeCommit: text("with --style manually-merged: the merge commit on the base branch", { placeholder: "SHA" }),
  matchHead: text("merge only if the head commit is SHA, full or abbreviated", {
    placeholder: "SHA",
    aliases: [{ name: "match-head-commit" }],
  }),
  auto: toggle("let the server merge when the required checks succeed and the required approvals are given"),
  wait: toggle("wait here until all checks succeed, required or not, and then merge"),
  waitLimit: seconds(`with --wait: how long to wait (default: ${defaultWait}; 0: no limit)`),
  cancelAuto: toggle("cancel a scheduled automatic merge", { aliases: [{ name: "disable-auto" }] }),
  stack: toggle("merge the pull requests that it is stacked on first, from the bottom"),
  force: toggle(
    "bypass the protection rules of the base branch (administrators), or merge into the branch of a merged pull request",
    { aliases: [{ name: "admin" }] },
  ),
  deleteBranch: yesNo(
    "delete the head branch after the merge (default: the repository setting; with --style, the server decides)",
    { short: "d" },
  ),
};

type MergeFlags = FlagValues<typeof mergeFlags>;

/** Flags that exclude each other. */
const mergeExclusive = [
  ["auto", "cancelAuto"],
  ["auto", "force"],
  ["auto", "wait"],
  ["wait", "cancelAuto"],
  ["stack", "wait"],
  ["message", "messageFile"],
  ["stack", "auto"],
  ["stack", "cancelAuto"],
  ["stack", "matchHead"],
  ["stack", "mergeCommit"],
  ["stack", "title"],
  ["stack", "message"],
  ["stack", "messageFile"],
] as const;

/** The commit of --match-head in lower case, full or abbreviated. */
function pinnedHead(flags: MergeFlags): string | undefined {
  const typed = flags.matchHead;
  if (typed === undefined) return undefined;
  if (!/^[0-9a-f]{4,64}$/i.test(typed)) {
    throw new UsageError(`--match-head must be a commit SHA, not '${typed}'`);
  }
  return typed.toLowerCase();
}

function isTextGiven({ title, message, messageFile }: MergeFlags): boolean {
  return (title ?? message ?? messageFile) !== undefined;
}

/** Throws a usage error for flags that do not fit the style. */
function checkFlags(flags: MergeFlags, style: MergeStyle): void {
  if (withoutCommit.includes(style) && isTextGiven(flags)) {
    throw new UsageError(`--title and --message cannot be used with --style ${style}, which creates no merge commit`);
  }
  if ((style === "manually-merged") !== (flags.mergeCommit !== undefined)) {
    const hint = "Pass the merge commit on the base branch: --style manually-merged --merge-commit SHA";
    throw new UsageError("--merge-commit and --style manually-merged must be used together", hint);
  }
}

/**
 * `tongs pr merge`: POST the merge; a single API request if number and style are given, and the branch is not to be deleted.
 */
export const merge = defineCommand({
  summary: "Merge a pull request",
  details:
    "On a terminal, tongs prompts for the merge style and whether to delete the branch unless they are given, and " +
    "confirms the merge; with --yes, --auto or in a script the defaults of the repository are used. While the server " +
    "checks whether the pull request is mergeable, the merge is retried for up to 15 seconds. In case of a conflict, " +
    "the files are listed. A refused merge names every reason, as tongs pr why does. The servers wait for " +
    "required checks and approvals only: where the base branch requires none, --auto is refused, or on a terminal offers to wait here, as --wait does. It fails if a check " +
    "fails, and merges only the head that was checked. In a job, the check of that job is not awaited. No server keeps the commit of --match-head with a merge that is scheduled by --auto: what is pushed after that is merged, too.\n\n--stack merges from " +
    "the bottom of the stack up to the pull request. Those that are based on a merged one get its base; if the style rewrites " +
    "commits (rebase, squash), their branches are rebased in this clone and pushed with --force-with-lease. It stops at the " +
    "first that cannot be merged, and goes on when it is run again.",
  external: { uses: "git", with: ["stack"] },
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: mergeFlags,
  exclusive: mergeExclusive,
  output: either(pullRequest, list(pullRequest), Array.isArray),
  exits: {
    pending: "with --wait: checks are still pending, or a run waits for an approval",
    refused:
      "not mergeable: conflict, branch protection, draft, merged, merged base, head changed; --auto without required checks or approvals",
    partly: "it was merged, but its branch was kept; with --stack: some were merged, and the next could not be",
    awaitedFailed: "with --wait: a check failed",
  },
  examples: [
    ["Rebase and merge", "tongs pr merge 12 --style rebase"],
    ["Squash, with a custom title", 'tongs pr merge 12 --style squash --title "Add the buoys (#12)"'],
    ["Merge only if the head is the reviewed commit", "tongs pr merge 12 --match-head 3f2a9c1"],
    ["Squash the stack of the current branch", "tongs pr merge --stack --style squash --delete-branch --yes"],
    ["Let the server merge when the required checks succeed", "tongs pr merge 12 --auto --delete-branch"],
    ["Wait until all checks succeed, and merge", "tongs pr merge 12 --wait"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out, system, prompt, options } = context;
    const pull = args.pr.by === "number" ? undefined : await findPull(args.pr, context);
    const number = args.pr.by === "number" ? args.pr.number : (pull?.number ?? 0);
    const name = pullName(context, number);
    const record = () => call(http, pullGet, { repo, index: number });

    if (flags.cancelAuto) {
      await cancelScheduledMerge(context, number);
      await out.done(`Cancelled the automatic merge of pull request ${name} ${accountLabel(server)}`, { record });
      return;
    }

    if (flags.waitLimit !== undefined && !flags.wait) throw new UsageError("--wait-limit requires --wait");
    const head = pinnedHead(flags);
    if (flags.style !== undefined || flags.mergeCommit !== undefined) checkFlags(flags, flags.style ?? "merge");
    const before = pull ?? (await call(http, pullGet, { repo, index: number }));
    const base = before.base.ref;
    if (!flags.stack || !before.merged) {
      requireOpen(before, context);
      requireHead(before, context);
    }
    if (flags.stack) {
      const { mergeStack } = await import("./merge-stack.ts");
      return mergeStack(context, before, { ...defaultMerge(context, before), force: flags.force });
    }
    const stale = await mergedBase(before, context);
    if (stale !== undefined && !flags.force) throw refusal(name, [stale]);
    if (stale !== undefined) out.warn(stale.message);
    const rules = flags.auto ? await baseBranch(before, context) : undefined;
    const hasNoRules = rules?.enable_status_check === false && !rules.required_approvals;
    const waits = flags.wait || (hasNoRules && (await offersWait(context, base, number)));
    const asks = prompt.able && !options.yes && !options.dryRun && !flags.auto;
    const chosen = asks
      ? await promptForMerge(context, before, { ...flags, hasText: isTextGiven(flags) })
      : defaultMerge(context, before);
    const { style, deleteBranch } = chosen;
    checkFlags(flags, style);
    const text = { text: flags.message, file: flags.messageFile, flag: "--message-file" };
    const message = await givenText(system, text);
    // What was confirmed is merged, nothing that was pushed since.
    const pinned = head ?? (waits || (asks && style !== "manually-merged") ? before.head.sha : undefined);
    const head_commit_id =
      pinned === undefined ? undefined : resolvePinnedHead(pinned, name, flags.auto || waits, before);
    const body = {
      Do: style,
      MergeTitleField: flags.title,
      MergeMessageField: message,
      MergeCommitID: flags.mergeCommit && (await resolveCommit(flags.mergeCommit, context)),
      head_commit_id,
      force_merge: flags.force || undefined,
      delete_branch_after_merge: deleteBranch,
    };

    if (waits && !options.dryRun) await waitForChecks(context, before, flags.waitLimit ?? defaultWait);
    const schedules = flags.auto && !waits;
    const request = { number, body };
    const unpinned = () => {
      if (head !== undefined)
        out.warn(`The server does not check --match-head again when it merges ${name}: new commits are merged, too`);
    };
    if (schedules && options.dryRun) unpinned();
    const outcome = await (schedules ? scheduleMerge(context, request, rules) : attemptMerge(context, request));
    if (outcome === "scheduled" || outcome === "already scheduled") {
      unpinned();
      const plan = `automatic merge of pull request ${name} into ${base}`;
      const isNew = outcome === "scheduled";
      const scheduled = isNew ? `Scheduled the ${plan} (${style})` : `Already scheduled: the ${plan}`;
      await out.done(`${scheduled} ${accountLabel(server)}`, { record });
      const cancel = commandIn(context, `tongs pr merge ${number} --cancel-auto`);
      return isNew ? undefined : out.note(`It keeps its style and message. Cancel it: ${cancel}`);
    }
    const merged = `Merged ${name} into ${base} (${style}) ${accountLabel(server)}`;
    if (!deleteBranch) return out.done(merged, { record });
    const after = await record();
    if (isAgit(after) || (outcome === "merged" && isHeadDeleted(after)))
      return out.done(`${merged}${deletedText(before, after)}`, { record: after });
    await out.done(merged, { record: after });
    const failure = await keptError(after, outcome === "merged" ? "" : outcome.kept, context);
    // By the setting of the repository, not asked for; or the branch is in another repository, as gh keeps it.
    if ((flags.deleteBranch !== true && !asks) || isFromFork(after)) return out.warn(failure.message);
    throw failure;
  },
});

type MergeContext = PullContext & Pick<BaseContext, "options" | "prompt"> & { readonly flags: MergeFlags };

/**
 * How to merge without prompts: by the flags and the defaults of the repository; the style is reported. That the branch is
 * deleted by default is sent, because not every server applies it (docs/server-differences.md, "Pull requests: merging").
 */
function defaultMerge({ flags, repo, out }: MergeContext, pull: PullRequest) {
  const { style } = flags;
  if (style !== undefined) return { style, deleteBranch: flags.deleteBranch };
  const settings = pull.base.repo;
  const chosen = settings?.default_merge_style ?? "merge";
  const deletes = settings?.default_delete_branch_after_merge === true && headBranch(pull) !== undefined;
  checkFlags(flags, chosen);
  out.note(`Using merge style "${chosen}" (the default of ${fullName(repo)})`);
  return { style: chosen, deleteBranch: flags.deleteBranch ?? (deletes || undefined) };
}

/** The full hash for --match-head. The servers accept no abbreviated hash, so one is compared with the head here. */
function resolvePinnedHead(expected: string, name: string, scheduling: boolean, pull: PullRequest): string {
  // The servers check the hash when they merge, not when they schedule.
  if (isHash(expected) && !scheduling) return expected;
  const head = pull.head?.sha ?? "";
  if (!head.startsWith(expected)) throw refusal(name, [headChanged(head, expected)]);
  return head;
}
