import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { issueLock, issueUnlock, lockBody, lockedBefore } from "../../forge/pins.ts";
import { pullGet, pullRequest } from "../../forge/pulls.ts";
import { accountLabel } from "../../profiles/server.ts";
import { findNumber, pullSelector } from "./find.ts";
import { orMissingPull, pullName } from "./pull.ts";

/** `tongs pr lock`: PUT the lock of the conversation. */
export const lock = defineCommand({
  summary: "Lock the conversation of a pull request",
  details: "Only users with write access can comment then.",
  on: "repository",
  needs: [issueLock],
  effect: "write",
  args: { pr: pullSelector },
  flags: { reason: text("reason, shown on the pull request", { short: "r", placeholder: "REASON" }) },
  output: pullRequest,
  examples: [["Lock a pull request", 'tongs pr lock 12 --reason "Too heated"']],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const number = await findNumber(args.pr, context);
    await orMissingPull(call(http, issueLock, { repo, index: number }, lockBody(flags.reason)));
    await out.done(`Locked pull request ${pullName(context, number)} ${accountLabel(server)}`, {
      already: `Pull request ${pullName(context, number)} is already ${lockedBefore(flags.reason)}`,
      record: () => call(http, pullGet, { repo, index: number }),
    });
  },
});

/** `tongs pr unlock`: DELETE the lock of the conversation. */
export const unlock = defineCommand({
  summary: "Unlock the conversation of a pull request",
  on: "repository",
  needs: [issueUnlock],
  effect: "write",
  args: { pr: pullSelector },
  output: pullRequest,
  examples: [["Unlock a pull request", "tongs pr unlock 12"]],
  async run(context) {
    const { args, http, repo, server, out } = context;
    const number = await findNumber(args.pr, context);
    await orMissingPull(call(http, issueUnlock, { repo, index: number }));
    await out.done(`Unlocked pull request ${pullName(context, number)} ${accountLabel(server)}`, {
      already: `Pull request ${pullName(context, number)} is not locked`,
      record: () => call(http, pullGet, { repo, index: number }),
    });
  },
});
