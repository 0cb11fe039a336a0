import { flagsOf } from "../../app/fields.ts";
import { choice, names } from "../../command/flags.ts";
import { teamSettings } from "../../forge/teams.ts";

/** The flags for the fields of a team that are sent as they are. */
export const teamFields = flagsOf(teamSettings);

/** The flags for the access of a team. */
export const accessFlags = {
  permission: choice(["read", "write", "admin"], "access to the units; admin covers all units"),
  units: names("units of repositories to give access to: code, issues=write, …", { placeholder: "UNIT" }),
};
