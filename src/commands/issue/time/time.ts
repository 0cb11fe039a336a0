import type { RepositoryContext } from "../../../app/context.ts";
import type { Command } from "../../../app/define.ts";
import { orDenied } from "../../../app/denied.ts";
import { issueName, oneIssue } from "../../../app/issue-selector.ts";
import { listCommand } from "../../../app/list-command.ts";
import { resource } from "../../../app/resource.ts";
import { currentUser } from "../../../app/shared.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import type { Arg } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { moment } from "../../../command/time-flags.ts";
import { resolveUsers } from "../../../forge/names.ts";
import { call } from "../../../forge/operation.ts";
import {
  issueTimeAdd,
  issueTimeDelete,
  issueTimeList,
  repoTimeList,
  type TrackedTime,
  trackedTime,
} from "../../../forge/times.ts";
import { numbered } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { durationArg, durationText } from "../duration.ts";

const optionalIssue: Arg<number | undefined> = {
  ...oneIssue,
  count: "optional",
  description: "issue: number, OWNER/REPO#NUMBER or URL (default: all issues of the repository)",
  read: (typed, name) => (typed.length === 0 ? undefined : oneIssue.read(typed, name)),
  locate: (typed) => (typed.length === 0 ? undefined : oneIssue.locate?.(typed)),
  source: "issue",
};

/** The user of `--user`; undefined without it. */
async function userOf(
  context: RepositoryContext & { readonly flags: { readonly user: string | undefined } },
): Promise<string | undefined> {
  const { flags, http, repo } = context;
  if (flags.user === undefined) return undefined;
  return (await resolveUsers(http, repo, [flags.user], () => currentUser(context)))[0];
}

const times = resource({
  on: "repository",
  noun: ["tracked time", "tracked times"],
  a: "a tracked time",
  record: trackedTime,
  argument: { key: "id", one: "ID of the tracked time", many: "IDs of tracked times", isId: true },
  args: { issue: oneIssue },
  place: ({ args, repo }) => ({ path: { repo, index: args.issue }, name: issueName(repo, args.issue) }),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<TrackedTime, "id">) => `tracked time ${id}`,
  where: ({ name }) => name,
});

/** The verbs of `tongs issue time`. */
export const verbs: Table<Command> = {
  list: listCommand({
    on: "repository",
    lists: ["tracked time", "tracked times"],
    record: trackedTime,
    summary: "List tracked times",
    details: "Without write access, lists only your own.",
    args: { issue: optionalIssue },
    flags: {
      user: text("filter by user (@me for yourself)", { placeholder: "USER", source: "user", filters: true }),
      since: moment("filter by last update: at or after this time", { filters: true }),
      before: moment("filter by last update: before this time", { filters: true }),
    },
    columns: [
      column<TrackedTime>("ID", "id"),
      column<TrackedTime>("ISSUE", "issue", ({ issue }) => (issue == null ? "" : numbered(issue.number))),
      column<TrackedTime>("USER", "user_name"),
      column<TrackedTime>("TIME", "time", ({ time }) => durationText(time)),
      column<TrackedTime>("CREATED", "created", { as: "time" }),
    ],
    async fetch(context) {
      const { args, flags, http, repo } = context;
      const query = { user: await userOf(context), since: flags.since, before: flags.before };
      return args.issue === undefined
        ? call(http, repoTimeList, { repo, ...query })
        : call(http, issueTimeList, { repo, index: args.issue, ...query });
    },
    page: ({ args, repo }) => repoPage(repo, "issues", ...(args.issue === undefined ? [] : [args.issue])),
    examples: [
      ["List the tracked times of an issue", "tongs issue time list 12"],
      ["List your own in the repository since a date", "tongs issue time list --user @me --since 2026-11-01"],
    ],
  }),
  add: writeCommand({
    summary: "Add a tracked time to an issue",
    details: "Prints its ID. Only administrators of the repository can add a time for another user.",
    on: "repository",
    args: { issue: oneIssue, time: durationArg },
    flags: {
      user: text("the user who spent the time (default: you)", { placeholder: "USER", source: "user" }),
    },
    output: trackedTime,
    async work(context) {
      const { args, http, repo } = context;
      const name = issueName(repo, args.issue);
      const body = { time: args.time, user_name: await userOf(context) };
      const made = await call(http, issueTimeAdd, { repo, index: args.issue }, body).catch(
        orDenied(`Cannot track time of ${name}`, "users who can track time here"),
      );
      const what = `tracked time ${made.id} of ${name} (added for ${made.user_name})`;
      return { done: `Added ${durationText(made.time)} to ${name}`, prints: made.id, record: made, what };
    },
    examples: [["Add an hour and a half", "tongs issue time add 12 1h30m"]],
  }),
  delete: times.delete({
    sends: issueTimeDelete,
    summary: "Delete tracked times of an issue",
    work: ({ id }, { http, place }) =>
      call(http, issueTimeDelete, { ...place.path, id }).catch(
        orDenied(`Cannot delete tracked time ${id} of ${place.name}`, "the user who spent it"),
      ),
    examples: [["Delete a tracked time", "tongs issue time delete 12 34 --yes"]],
  }),
};
