import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import type { Table } from "../../command/table.ts";
import { teamActivityList } from "../../forge/activities.ts";
import { call } from "../../forge/operation.ts";
import { dateFlag, feed } from "../activity.ts";
import { findTeam, teamArgument } from "./find.ts";

/** The verbs of `tongs team`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: () => import("./delete.ts").then((file) => file.remove),
  activity: listCommand({
    ...feed,
    summary: "List the activity in the repositories of a team, newest first",
    on: "server",
    args: { team: teamArgument },
    flags: { date: dateFlag },
    async fetch(context) {
      const { id } = await findTeam(context.args.team, context);
      return call(context.http, teamActivityList, { id, date: context.flags.date });
    },
    examples: [["List what happened on a day", "tongs team activity tidewater/pilots --date 2026-03-31 --all"]],
  }),
  member: {
    summary: "Manage team members",
    verbs: () => import("./member/member.ts").then((file) => file.verbs),
  },
  repo: {
    summary: "Manage team repositories",
    verbs: () => import("./repo/repo.ts").then((file) => file.verbs),
  },
};
