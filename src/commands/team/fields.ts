import { choice, names, text, yesNo } from "../../command/flags.ts";
import { visibilities } from "../../forge/users.ts";

/** The flags for the fields of a team that are sent as they are. */
export const teamFields = {
  description: text("description"),
  includesAllRepositories: yesNo("give access to all repositories of the organization"),
  canCreateOrgRepo: yesNo("allow members to create repositories in the organization"),
  visibility: choice(visibilities, "who can see the team"),
};

/** The flags for the access of a team. */
export const accessFlags = {
  permission: choice(["read", "write", "admin"], "access to the units; admin covers all units"),
  units: names("units of repositories to give access to: code, issues=write, …", { placeholder: "UNIT" }),
};
