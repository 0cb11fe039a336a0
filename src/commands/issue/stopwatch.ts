import { explainDenied } from "../../app/denied.ts";
import { issueName, oneIssue } from "../../app/issue-selector.ts";
import { writeCommand } from "../../app/write-command.ts";
import { toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import {
  type Stopwatch,
  stopwatch,
  stopwatchDelete,
  stopwatchList,
  stopwatchStart,
  stopwatchStop,
} from "../../forge/times.ts";
import { RefusedError } from "../../http/errors.ts";

const who = "users who can track time here";

/** `tongs issue start`: GET the running stopwatches, then POST the start. */
export const start = writeCommand({
  summary: "Start the stopwatch of an issue",
  details: "A running stopwatch of another issue is stopped, and its time is added to that issue.",
  on: "repository",
  args: { issue: oneIssue },
  output: stopwatch,
  exits: { refused: "it is already running" },
  examples: [["Start tracking your time", "tongs issue start 12"]],
  async work({ args, http, repo }) {
    const name = issueName(repo, args.issue);
    const isThis = (one: Stopwatch) => stopwatchName(one).toLowerCase() === name.toLowerCase();
    const running = (await collect(call(http, stopwatchList, {}))).filter((one) => !isThis(one));
    await call(http, stopwatchStart, { repo, index: args.issue }).catch((error: unknown) => {
      throw explain(error, name, "is already running");
    });
    const stopped = running.map((one) => `; stopped that of ${stopwatchName(one)}`).join("");
    const record = async () => (await collect(call(http, stopwatchList, {}))).find(isThis);
    return { done: `Started the stopwatch of ${name}${stopped}`, record };
  },
});

/** `tongs issue stop`: POST the stop, or DELETE the stopwatch. */
export const stop = writeCommand({
  summary: "Stop the stopwatch of an issue",
  details: "Logs the elapsed time unless --discard is given.",
  on: "repository",
  args: { issue: oneIssue },
  flags: { discard: toggle("discard the tracked time") },
  output: issue,
  exits: { refused: "it is not running" },
  examples: [
    ["Stop tracking, and add the time", "tongs issue stop 12"],
    ["Discard the time since the start", "tongs issue stop 12 --discard"],
  ],
  async work({ args, flags, http, repo }) {
    const name = issueName(repo, args.issue);
    const end = flags.discard ? stopwatchDelete : stopwatchStop;
    await call(http, end, { repo, index: args.issue }).catch((error: unknown) => {
      throw explain(error, name, "is not running");
    });
    const record = () => call(http, issueGet, { repo, index: args.issue });
    return { done: `${flags.discard ? "Discarded" : "Stopped"} the stopwatch of ${name}`, record };
  },
});

function stopwatchName({ repo_owner_name, repo_name, issue_index }: Stopwatch): string {
  return issueName({ owner: repo_owner_name, name: repo_name }, issue_index);
}

function explain(error: unknown, name: string, state: string): unknown {
  if (!(error instanceof RefusedError) || error.status !== 409)
    return explainDenied(error, `Cannot track time of ${name}`, who);
  return new Failure("stopwatch", `The stopwatch of ${name} ${state}`, { cause: error });
}
