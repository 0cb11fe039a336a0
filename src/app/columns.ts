import type { Repository } from "../forge/repos.ts";
import { type Organization, orgName, type User } from "../forge/users.ts";
import { column } from "../output/table.ts";

/** The columns of a list of users. */
export const userColumns = [
  column<User>("NAME", "login", { style: "strong" }),
  column<User>("FULL NAME", "full_name", { flexible: true }),
  column<User>("LOCATION", "location", { flexible: true }),
  column<User>("FOLLOWERS", "followers_count"),
  column<User>("JOINED", "created", { as: "time" }),
];

/** The columns of a list of repositories. */
export const repositoryColumns = [
  column<Repository>("NAME", "full_name", { style: "strong" }),
  column<Repository>("DESCRIPTION", "description", { flexible: true }),
  column<Repository>("VISIBILITY", "private", visibility),
  column<Repository>("STARS", "stars_count"),
  column<Repository>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
];

function visibility(repo: Repository): string {
  const kind = repo.private ? "private" : repo.internal ? "internal" : "public";
  const marks = [repo.archived ? "archived" : "", repo.fork ? "fork" : "", repo.mirror ? "mirror" : ""];
  return [kind, ...marks.filter((mark) => mark !== "")].join(", ");
}

/** The columns of a list of organizations. */
export const orgColumns = [
  column<Organization>("NAME", "name", (org) => orgName(org)),
  column<Organization>("FULL NAME", "full_name", { flexible: true }),
  column<Organization>("DESCRIPTION", "description", { flexible: true }),
  column<Organization>("VISIBILITY", "visibility"),
];
