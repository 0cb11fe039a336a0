import { teamAccess, teamColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { listCommand } from "../../app/list-command.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { viewCommand } from "../../app/view-command.ts";
import { pagePath } from "../../app/web.ts";
import { batchCommand } from "../../app/write-command.ts";
import { many, optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { teamActivityList } from "../../forge/activities.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { isOwners, ownTeamList, team, teamDelete, teamGet, teamList } from "../../forge/teams.ts";
import { commandOn } from "../../profiles/server.ts";
import { dateFlag, feed } from "../activity.ts";
import { findTeam, parseTeam, teamArgument, teamName } from "./find.ts";

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
  view: viewCommand({
    summary: "View a team",
    on: "server",
    args: { team: teamArgument },
    record: team,
    async fetch(context) {
      const { id } = await findTeam(context.args.team, context);
      return call(context.http, teamGet, { id });
    },
    sheet: (found, { args }) => ({
      title: teamName({ ...args.team, team: found.name }),
      fields: [
        ["description", found.description],
        ["access", teamAccess(found)],
        ["all repositories", found.includes_all_repositories],
        ["can create repositories", found.can_create_org_repo],
        ["visibility", found.visibility],
        ["id", found.id],
      ],
    }),
    page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team),
    examples: [["View a team", "tongs team view tidewater/pilots"]],
  }),
  create: () => import("./create.ts").then((file) => file.create()),
  edit: () => import("./edit.ts").then((file) => file.edit),
  // Servers also delete the team Owners, so it is refused (docs/server-differences.md, "Organizations and teams").
  delete: batchCommand({
    summary: "Delete teams",
    on: "server",
    result: "deleted",
    args: { team: many("ORG/TEAM", { dash: "lines" }) },
    exits: { partly: "some teams were deleted, some failed", refused: "the team Owners cannot be deleted" },
    targets: async ({ args, system }) => (await readTargets(args.team, system)).map(parseTeam),
    name: teamName,
    asks: (teams) => ({
      what: `Delete ${teams.length === 1 ? `team ${teams.map(teamName)}` : `${teams.length} teams`}`,
      sends: teamDelete,
    }),
    async work(name, context) {
      const found = await findTeam(name, context);
      if (isOwners(found)) {
        throw new Failure("owners_team", `${teamName(name)} cannot be deleted`, {
          hint: "An organization must keep its Owners team.",
        });
      }
      const { organization } = await call(context.http, teamGet, { id: found.id });
      requirePresentName(
        name.org,
        organization?.name || name.org,
        (org) => `To delete the team, run: ${commandOn(context.server, `tongs team delete ${org}/${name.team}`)}`,
      );
      await call(context.http, teamDelete, { id: found.id });
      return { done: `Deleted team ${teamName(name)}` };
    },
    examples: [["Delete a team", "tongs team delete tidewater/crew --yes"]],
  }),
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
  member: noun("Manage team members", () => import("./member/member.ts")),
  repo: noun("Manage team repositories", () => import("./repo/repo.ts")),
};
