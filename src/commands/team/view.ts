import { teamAccess } from "../../app/columns.ts";
import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { call } from "../../forge/operation.ts";
import { type Team, team, teamGet } from "../../forge/teams.ts";
import type { Sheet } from "../../output/sheet.ts";
import { findTeam, teamArgument, teamName } from "./find.ts";

/** `tongs team view`: finds the team by its name, then GET /teams/{id}. */
export const view = defineCommand({
  summary: "View a team",
  on: "server",
  effect: "read",
  args: { team: teamArgument },
  output: team,
  examples: [["View a team", "tongs team view tidewater/pilots"]],
  web: { page: ({ args }) => pagePath("org", args.team.org, "teams", args.team.team) },
  async run(context) {
    const { args, http, out } = context;
    const { id } = await findTeam(args.team, context);
    await out.record(await call(http, teamGet, { id }), (found) =>
      teamSheet(teamName({ ...args.team, team: found.name }), found),
    );
  },
});

/** A team, field by field. */
function teamSheet(title: string, found: Team): Sheet {
  return {
    title,
    fields: [
      ["description", found.description],
      ["access", teamAccess(found)],
      ["all repositories", found.includes_all_repositories],
      ["can create repositories", found.can_create_org_repo],
      ["visibility", found.visibility],
      ["id", found.id],
    ],
  };
}
