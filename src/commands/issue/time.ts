import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { currentUser } from "../../app/shared.ts";
import { repoPage } from "../../app/web.ts";
import { type Arg, many } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { moment } from "../../command/moment.ts";
import { ignoredFields, requireApplied } from "../../failure/ignored.ts";
import { resolveUsers } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import {
  issueTimeAdd,
  issueTimeDelete,
  issueTimeList,
  repoTimeList,
  type TrackedTime,
  trackedTime,
} from "../../forge/times.ts";
import { numbered } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { durationArg, durationText } from "./duration.ts";
import { oneIssue } from "./selector.ts";
import { explainDenied, issueName } from "./shared.ts";

const columns = [
  column<TrackedTime>("ID", "id"),
  column<TrackedTime>("ISSUE", "issue", ({ issue }) => (issue == null ? "" : numbered(issue.number))),
  column<TrackedTime>("USER", "user_name"),
  column<TrackedTime>("TIME", "time", ({ time }) => durationText(time)),
  column<TrackedTime>("CREATED", "created", { as: "time" }),
];

const optionalIssue: Arg<number | undefined> = {
  ...oneIssue,
  count: "optional",
  description: "issue: number, OWNER/REPO#NUMBER or URL (default: all issues of the repository)",
  read: (typed, name) => (typed.length === 0 ? undefined : oneIssue.read(typed, name)),
  locate: (typed) => (typed.length === 0 ? undefined : oneIssue.locate?.(typed)),
  source: "issue",
};

/** `tongs issue time list`: GET the tracked times of an issue or a repository. */
export const list = defineCommand({
  summary: "List tracked times",
  details: "Without write access, lists only your own.",
  on: "repository",
  effect: "read",
  lists: ["tracked time", "tracked times"],
  args: { issue: optionalIssue },
  flags: {
    user: text("filter by user (@me for yourself)", { placeholder: "USER", source: "user", filters: true }),
    since: moment("filter by last update: at or after this time", { filters: true }),
    before: moment("filter by last update: before this time", { filters: true }),
  },
  output: listOf(trackedTime),
  examples: [
    ["List the tracked times of an issue", "tongs issue time list 12"],
    ["List your own in the repository since a date", "tongs issue time list --user @me --since 2026-11-01"],
  ],
  web: { page: ({ args, repo }) => repoPage(repo, "issues", ...(args.issue === undefined ? [] : [args.issue])) },
  async run(context) {
    const { args, flags, http, repo, out } = context;
    const [user] =
      flags.user === undefined ? [] : await resolveUsers(http, repo, [flags.user], () => currentUser(context));
    const query = { user, since: flags.since, before: flags.before };
    await out.list(
      args.issue === undefined
        ? call(http, repoTimeList, { repo, ...query })
        : call(http, issueTimeList, { repo, index: args.issue, ...query }),
      columns,
    );
  },
});

/** `tongs issue time add`: POST a tracked time. */
export const add = defineCommand({
  summary: "Add a tracked time to an issue",
  details: "Prints its ID. Only administrators of the repository can add a time for another user.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, time: durationArg },
  flags: {
    user: text("the user who spent the time (default: you)", { placeholder: "USER", source: "user" }),
    created: moment("when it was spent (default: now)"),
  },
  output: trackedTime,
  examples: [["Add an hour and a half", "tongs issue time add 12 1h30m"]],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const name = issueName(repo, args.issue);
    const [user] =
      flags.user === undefined ? [] : await resolveUsers(http, repo, [flags.user], () => currentUser(context));
    const body = { time: args.time, user_name: user, created: flags.created };
    const made = await call(http, issueTimeAdd, { repo, index: args.issue }, body).catch((error: unknown) => {
      throw explainDenied(error, `Cannot track time of ${name}`, "users who can track time here");
    });
    await out.done(`Added ${durationText(made.time)} to ${name} ${accountLabel(server)}`, {
      prints: made.id,
      record: made,
    });
    const ignored = ignoredFields({ user_name: user }, made, {
      user_name: ({ user_name }, asked) => (user_name?.toLowerCase() === user?.toLowerCase() ? asked : user_name),
    });
    const hint = `Only administrators can add it for others. To remove it, run: tongs issue time delete ${args.issue} ${made.id}`;
    requireApplied(ignored, `tracked time ${made.id} of ${name} (added for ${made.user_name})`, hint);
  },
});

/** `tongs issue time delete`: DELETE each tracked time. */
export const remove = defineCommand({
  summary: "Delete tracked times of an issue",
  on: "repository",
  effect: "destroy",
  args: { issue: oneIssue, id: many("IDs of tracked times; - reads them from stdin, one per line") },
  exits: { partly: "some were deleted, some failed" },
  examples: [["Delete a tracked time", "tongs issue time delete 12 34 --yes"]],
  async run(context) {
    const { args, http, repo } = context;
    const name = issueName(repo, args.issue);
    return deleteById(
      {
        ids: args.id,
        noun: "tracked time",
        owner: name,
        delete: (id) =>
          call(http, issueTimeDelete, { repo, index: args.issue, id }).catch((error: unknown) => {
            throw explainDenied(error, `Cannot delete tracked time ${id} of ${name}`, "the user who spent it");
          }),
      },
      context,
    );
  },
});
