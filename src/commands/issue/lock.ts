import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { issueLock, issueUnlock } from "../../forge/pins.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { type IssueTarget, manyIssues, readIssues, targetName } from "./selector.ts";
import { explainDenied, type IssuesContext } from "./shared.ts";

/** `tongs issue lock`: PUT the lock of each issue. */
export const lock = defineCommand({
  summary: "Lock the conversation of issues",
  details: "Only users with write access can comment then. Forgejo does not have this operation.",
  on: "server",
  effect: "write",
  args: { issue: manyIssues },
  flags: { reason: text("reason, shown on the issue", { short: "r", placeholder: "REASON" }) },
  output: list(issue),
  exits: { partly: "some succeeded, some failed" },
  examples: [["Lock an issue", 'tongs issue lock 12 --reason "Too heated"']],
  run: (context) =>
    each(context, "Locked", ({ repo, number }) =>
      call(context.http, issueLock, { repo, index: number }, { lock_reason: context.flags.reason }),
    ),
});

/** `tongs issue unlock`: DELETE the lock of each issue. */
export const unlock = defineCommand({
  summary: "Unlock the conversation of issues",
  details: "Forgejo does not have this operation.",
  on: "server",
  effect: "write",
  args: { issue: manyIssues },
  output: list(issue),
  exits: { partly: "some succeeded, some failed" },
  examples: [["Unlock an issue", "tongs issue unlock 12"]],
  run: (context) =>
    each(context, "Unlocked", ({ repo, number }) => call(context.http, issueUnlock, { repo, index: number })),
});

type LockContext = IssuesContext & { readonly args: { readonly issue: readonly string[] } };

async function each(context: LockContext, done: string, send: (target: IssueTarget) => Promise<unknown>) {
  const { args, http, server } = context;
  return batch(
    await readIssues(args.issue, context),
    async (one) => {
      const name = targetName(one);
      await send(one).catch((error: unknown) => {
        throw explainDenied(error, `Cannot lock or unlock ${name}`, "administrators of the repository");
      });
      const message = `${done} issue ${name} ${accountLabel(server)}`;
      return { message, record: () => call(http, issueGet, { repo: one.repo, index: one.number }) };
    },
    context,
    { name: targetName },
  );
}
