import { writeCommand } from "../../app/write-command.ts";
import { text } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { issueLock, issueUnlock, lockBody, lockedBefore } from "../../forge/pins.ts";
import { pullGet, pullRequest } from "../../forge/pulls.ts";
import { findNumber, pullSelector } from "./find.ts";
import { orMissingPull, pullName } from "./pull.ts";

/** `tongs pr lock`: PUT the lock of the conversation. */
export const lock = writeCommand({
  summary: "Lock the conversation of a pull request",
  details: "Only users with write access can comment then.",
  on: "repository",
  needs: [issueLock],
  args: { pr: pullSelector },
  flags: { reason: text("reason, shown on the pull request", { short: "r", placeholder: "REASON" }) },
  output: pullRequest,
  examples: [["Lock a pull request", 'tongs pr lock 12 --reason "Too heated"']],
  async work(context) {
    const { args, flags, http, repo } = context;
    const index = await findNumber(args.pr, context);
    await orMissingPull(call(http, issueLock, { repo, index }, lockBody(flags.reason)));
    const name = pullName(context, index);
    const already = `Pull request ${name} is already ${lockedBefore(flags.reason)}`;
    return { done: `Locked pull request ${name}`, already, record: () => call(http, pullGet, { repo, index }) };
  },
});

/** `tongs pr unlock`: DELETE the lock of the conversation. */
export const unlock = writeCommand({
  summary: "Unlock the conversation of a pull request",
  on: "repository",
  needs: [issueUnlock],
  args: { pr: pullSelector },
  output: pullRequest,
  examples: [["Unlock a pull request", "tongs pr unlock 12"]],
  async work(context) {
    const { args, http, repo } = context;
    const index = await findNumber(args.pr, context);
    await orMissingPull(call(http, issueUnlock, { repo, index }));
    const name = pullName(context, index);
    const already = `Pull request ${name} is not locked`;
    return { done: `Unlocked pull request ${name}`, already, record: () => call(http, pullGet, { repo, index }) };
  },
});
