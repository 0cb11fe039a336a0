import { bodyOf, flagsOf } from "../../app/fields.ts";
import { writeCommand } from "../../app/write-command.ts";
import { choice, names } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { team, teamCreate, teamSettings } from "../../forge/teams.ts";
import { accessOfNew } from "./access.ts";
import { explainName, teamArgument, teamName } from "./find.ts";

/** The flags for the fields of a team that are sent as they are. */
export const teamFields = flagsOf(teamSettings);

/** The flags for the access of a team. */
export const accessFlags = {
  permission: choice(["read", "write", "admin"], "access to the units; admin covers all units"),
  units: names("units of repositories to give access to: code, issues=write, …", { placeholder: "UNIT" }),
};

/** `tongs team create`: POST /orgs/{org}/teams with the access to each unit. */
export const create = writeCommand({
  summary: "Create a team",
  details: "Without --units, the team gets the access of --permission, by default read, to all units.",
  on: "server",
  fieldsOf: teamCreate,
  args: { team: teamArgument },
  flags: { ...teamFields, ...accessFlags },
  output: team,
  exits: { refused: "the team already exists" },
  examples: [
    ["Create a team that can push code", "tongs team create tidewater/pilots --permission write"],
    ["Create a team with access to some units", "tongs team create tidewater/crew --units code,issues=write"],
  ],
  async work({ args, flags, http }) {
    const access = accessOfNew(flags);
    const { org, team: name } = args.team;
    const body = { ...bodyOf(teamFields, flags), ...access, name };
    const record = await call(http, teamCreate, { org }, body).catch((error: unknown) => {
      throw explainName(error, args.team);
    });
    return { done: `Created team ${teamName(args.team)}`, prints: record.id, record, what: `team ${record.name}` };
  },
});
