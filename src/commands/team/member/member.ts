import { byLogin } from "../../../app/by-login.ts";
import { userColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { explainLastOwner } from "../../../app/last-owner.ts";
import { resource } from "../../../app/resource.ts";
import { pagePath } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { teamMemberAdd, teamMemberCheck, teamMemberList, teamMemberRemove } from "../../../forge/teams.ts";
import { notFound } from "../../../http/errors.ts";
import { inTeam, teamName } from "../find.ts";

const members = resource({
  ...inTeam,
  ...byLogin,
  noun: ["member", "members"],
  a: "a member",
});

/** The verbs of `tongs team member`. */
export const verbs: Table<Command> = {
  list: members.list({
    summary: "List the members of a team",
    columns: userColumns,
    fetch: ({ http, place }) => call(http, teamMemberList, { id: place.id }),
    page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team),
    examples: [["List the members of a team", "tongs team member list tidewater/pilots"]],
  }),
  add: members.each({
    verb: ["add", "added"],
    summary: "Add members to a team",
    leavesNothing: true,
    work: ({ login }, { http, place }) =>
      call(http, teamMemberAdd, { id: place.id, username: login }).catch(notFound(`User ${login}`)),
    examples: [["Add two members", "tongs team member add tidewater/pilots jonas priya"]],
  }),
  remove: members.each({
    verb: ["remove", "removed"],
    summary: "Remove members from a team",
    leavesNothing: true,
    // Several at a time could remove the last owners together.
    jobs: 1,
    exits: { refused: "the user is the last owner" },
    work: ({ login }, context) =>
      call(context.http, teamMemberRemove, { id: context.place.id, username: login }).catch(async (error: unknown) => {
        notFound(`User ${login}`)(await explainLastOwner(error, context, { org: context.args.team.org, user: login }));
      }),
    examples: [["Remove a member", "tongs team member remove tidewater/pilots jonas"]],
  }),
  check: members.check({
    summary: "Check whether a user is a member of a team",
    holds: ({ login }, { http, place }) => call(http, teamMemberCheck, { id: place.id, username: login }),
    says: ({ login }, holds, { args }) => `${login} is ${holds ? "" : "not "}a member of team ${teamName(args.team)}`,
    exits: { ok: "a member", failure: "not a member" },
    examples: [["Check in a script", "if tongs team member check tidewater/pilots jonas; then echo yes; fi"]],
  }),
};
