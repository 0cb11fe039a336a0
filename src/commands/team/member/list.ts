import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { teamMemberCheck, teamMemberList } from "../../../forge/teams.ts";
import { user } from "../../../forge/users.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { userColumns } from "../../follow/list.ts";
import { findTeam, teamArgument, teamName } from "../find.ts";

/** `tongs team member list`: GET /teams/{id}/members. */
export const list = defineCommand({
  summary: "List the members of a team",
  on: "server",
  effect: "read",
  lists: ["member", "members"],
  args: { team: teamArgument },
  output: listOf(user),
  examples: [["List the members of a team", "tongs team member list tidewater/pilots"]],
  web: { page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team) },
  async run(context) {
    const { args, http, out } = context;
    const { id } = await findTeam(args.team, context);
    await out.list(call(http, teamMemberList, { id }), userColumns);
  },
});

/** `tongs team member check`: GET /teams/{id}/members/{username}; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether a user is a member of a team",
  on: "server",
  effect: "read",
  args: { team: teamArgument, user: one("username") },
  exits: { ok: "a member", failure: "not a member" },
  examples: [["Check in a script", "if tongs team member check tidewater/pilots jonas; then echo yes; fi"]],
  async run(context) {
    const { args, http, out } = context;
    const { id } = await findTeam(args.team, context);
    const found = await call(http, teamMemberCheck, { id, username: args.user });
    out.note(`${args.user} is ${found ? "" : "not "}a member of team ${teamName(args.team)}`);
    return found ? undefined : "failure";
  },
});
