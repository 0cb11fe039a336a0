import { defineCommand } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { call } from "../../forge/operation.ts";
import { team, teamCreate } from "../../forge/teams.ts";
import { accountLabel } from "../../profiles/server.ts";
import { accessOfNew } from "./access.ts";
import { accessFlags, teamFields } from "./fields.ts";
import { explainName, teamArgument, teamName } from "./find.ts";

/** `tongs team create`: POST /orgs/{org}/teams with the access to each unit. */
export const create = defineCommand({
  summary: "Create a team",
  details: "Without --units, the team gets the access of --permission, by default read, to all units.",
  on: "server",
  fieldsOf: teamCreate,
  effect: "write",
  args: { team: teamArgument },
  flags: { ...teamFields, ...accessFlags },
  output: team,
  exits: { refused: "the team already exists" },
  examples: [
    ["Create a team that can push code", "tongs team create tidewater/pilots --permission write"],
    ["Create a team with access to some units", "tongs team create tidewater/crew --units code,issues=write"],
  ],
  async run({ args, flags, http, out, server }) {
    const access = accessOfNew(flags);
    const { org, team: name } = args.team;
    const created = await call(http, teamCreate, { org }, { ...bodyOf(teamFields, flags), ...access, name }).catch(
      (error: unknown) => {
        throw explainName(error, args.team);
      },
    );
    await out.done(`Created team ${teamName(args.team)} ${accountLabel(server)}`, {
      prints: created.id,
      record: created,
      what: `team ${created.name}`,
    });
  },
});
