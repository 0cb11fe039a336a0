import type { ServerContext } from "../../app/context.ts";
import { choice, text, yesNo } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { findTeam, teamMemberList } from "../../forge/teams.ts";
import { type Organization, orgName, visibilities } from "../../forge/users.ts";
import { ServerError } from "../../http/errors.ts";
import { column } from "../../output/table.ts";
import { nameProblem } from "../user/rules.ts";

/** The flags for the fields of an organization. */
export const orgFields = {
  fullName: text("full name"),
  description: text("description"),
  email: text("email address", { placeholder: "EMAIL" }),
  website: text("website", { placeholder: "URL" }),
  location: text("location"),
  visibility: choice(visibilities, "who can see the organization"),
  repoAdminChangeTeamAccess: yesNo("allow administrators of a repository to change the teams that have access"),
};

/** The columns of a list of organizations. */
export const orgColumns = [
  column<Organization>("NAME", "name", (org) => orgName(org)),
  column<Organization>("FULL NAME", "full_name", { flexible: true }),
  column<Organization>("DESCRIPTION", "description", { flexible: true }),
  column<Organization>("VISIBILITY", "visibility"),
];

/** Throws a usage error for a name that the servers would reject. */
export function checkOrgName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem.replace("username", "Organization name"));
}

/**
 * Explains a 500 for the removal of a member: servers answer so for the last owner (docs/server-differences.md,
 * "Organizations and teams").
 */
export async function explainLastOwner(
  error: unknown,
  { http }: ServerContext,
  { org, user }: { readonly org: string; readonly user: string },
): Promise<unknown> {
  if (!(error instanceof ServerError)) return error;
  const owners = await findTeam(http, org, "Owners").catch(() => undefined);
  if (owners === undefined) return error;
  const members = await collect(call(http, teamMemberList, { id: owners.id })).catch(() => []);
  const [only, ...others] = members;
  if (others.length > 0 || only?.login.toLowerCase() !== user.toLowerCase()) return error;
  return new Failure("last_owner", `${user} is the last owner of ${org}`, {
    hint: `Add another owner first: tongs team member add ${org}/Owners USER`,
    cause: error,
  });
}
