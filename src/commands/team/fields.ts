import { bodyOf } from "../../app/fields.ts";
import { choice, type FlagValues, names, text, yesNo } from "../../command/flags.ts";
import { ignoredFields, requireApplied } from "../../failure/ignored.ts";
import type { Team } from "../../forge/teams.ts";
import { visibilities } from "../../forge/users.ts";
import { isOwners } from "./find.ts";

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

/**
 * Throws if the server ignored a field: the visibility, which Forgejo does not have, or what the team Owners keeps
 * (docs/server-differences.md, "Organizations and teams").
 */
export function checkIgnored(flags: FlagValues<typeof teamFields>, stored: Team): void {
  const { description: _, ...wanted } = bodyOf(teamFields, flags);
  const hint = isOwners(stored) ? "The Owners team always has full access." : "The server does not support it.";
  requireApplied(ignoredFields(wanted, stored), `team ${stored.name}`, hint);
}
