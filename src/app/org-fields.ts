import { choice, text, yesNo } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { nameProblem } from "../forge/account-rules.ts";
import { visibilities } from "../forge/users.ts";

/** The flags for the fields of an organization that an administrator can create it with for a user. */
export const createdOrgFields = {
  fullName: text("full name"),
  description: text("description"),
  website: text("website", { placeholder: "URL" }),
  location: text("location"),
  visibility: choice(visibilities, "who can see the organization"),
};

/** The flags for the fields of an organization. */
export const orgFields = {
  ...createdOrgFields,
  email: text("email address", { placeholder: "EMAIL" }),
  repoAdminChangeTeamAccess: yesNo("allow administrators of a repository to change the teams that have access"),
};

/** Throws a usage error for a name that the servers would reject. */
export function checkOrgName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem.replace("username", "Organization name"));
}
