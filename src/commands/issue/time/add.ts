import { defineCommand } from "../../../app/define.ts";
import { orDenied } from "../../../app/denied.ts";
import { issueName, oneIssue } from "../../../app/issue-selector.ts";
import { currentUser } from "../../../app/shared.ts";
import { text } from "../../../command/flags.ts";
import { resolveUsers } from "../../../forge/names.ts";
import { call } from "../../../forge/operation.ts";
import { issueTimeAdd, trackedTime } from "../../../forge/times.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { durationArg, durationText } from "../duration.ts";

/** `tongs issue time add`: POST a tracked time. */
export const add = defineCommand({
  summary: "Add a tracked time to an issue",
  details: "Prints its ID. Only administrators of the repository can add a time for another user.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, time: durationArg },
  flags: {
    user: text("the user who spent the time (default: you)", { placeholder: "USER", source: "user" }),
  },
  output: trackedTime,
  examples: [["Add an hour and a half", "tongs issue time add 12 1h30m"]],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const name = issueName(repo, args.issue);
    const [user] =
      flags.user === undefined ? [] : await resolveUsers(http, repo, [flags.user], () => currentUser(context));
    const body = { time: args.time, user_name: user };
    const made = await call(http, issueTimeAdd, { repo, index: args.issue }, body).catch(
      orDenied(`Cannot track time of ${name}`, "users who can track time here"),
    );
    await out.done(`Added ${durationText(made.time)} to ${name} ${accountLabel(server)}`, {
      prints: made.id,
      record: made,
      what: `tracked time ${made.id} of ${name} (added for ${made.user_name})`,
    });
  },
});
