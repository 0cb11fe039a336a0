import { teamColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { teamActivityList } from "../../forge/activities.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { ownTeamList, team, teamList } from "../../forge/teams.ts";
import { dateFlag, feed } from "../activity.ts";
import { findTeam, teamArgument } from "./find.ts";

/** The verbs of `tongs team`. */
export const verbs: Table<Command> = {
  list: listCommand({
    summary: "List teams",
    on: "server",
    lists: ["team", "teams"],
    args: { org: optional("organization (default: your teams in all organizations)") },
    flags: { search: text("only teams with this text in the name or description", { filters: true }) },
    record: team,
    columns: teamColumns,
    fetch({ args: { org }, flags: { search }, http }) {
      const listing = org === undefined ? call(http, ownTeamList, {}) : call(http, teamList, { org });
      if (search === undefined) return listing;
      return filterListing(listing, ({ name, description = "" }) =>
        `${name}\n${description}`.toLowerCase().includes(search.toLowerCase()),
      );
    },
    page: ({ args }) =>
      args.org === undefined ? pagePath("user/settings/organization") : pagePath("org", args.org, "teams"),
    examples: [
      ["List your teams", "tongs team list"],
      ["List the teams of an organization", "tongs team list tidewater"],
    ],
  }),
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
