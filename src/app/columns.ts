import type { Email } from "../forge/admin-users.ts";
import type { Commit } from "../forge/commits.ts";
import type { Repository } from "../forge/repos.ts";
import type { Team } from "../forge/teams.ts";
import { type Organization, orgName, type PublicKey, type User } from "../forge/users.ts";
import { styled, when } from "../output/cells.ts";
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
  column<Repository>("VISIBILITY", "private", (repo) => repoKind(repo, ["archived", "fork", "mirror"])),
  column<Repository>("STARS", "stars_count"),
  column<Repository>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
];

/** Who can see a repository. */
export function visibilityOf(repo: Repository): "public" | "private" | "internal" {
  return repo.private ? "private" : repo.internal ? "internal" : "public";
}

/** Visibility and other properties of a repository: `private, fork`. */
export function repoKind(
  repo: Repository,
  marks: readonly ("fork" | "mirror" | "archived" | "template" | "empty")[] = [
    "fork",
    "mirror",
    "archived",
    "template",
    "empty",
  ],
): string {
  return [visibilityOf(repo), ...marks.filter((mark) => repo[mark])].join(", ");
}

/** The columns of a list of organizations. */
export const orgColumns = [
  column<Organization>("NAME", "name", (org) => orgName(org)),
  column<Organization>("FULL NAME", "full_name", { flexible: true }),
  column<Organization>("DESCRIPTION", "description", { flexible: true }),
  column<Organization>("VISIBILITY", "visibility"),
];

/** The columns of commits. */
export const commitColumns = [
  column<Commit>("COMMIT", "sha", { as: "commit" }),
  column<Commit>("TITLE", "commit.message", { as: "first line", flexible: true }),
  column<Commit>("AUTHOR", "author.login", (one) => one.author?.login ?? one.commit?.author?.name),
  column<Commit>("CREATED", "created", (one) => when(one.commit?.author?.date ?? one.created)),
];

/** The columns of a list of teams. */
export const teamColumns = [
  column<Team>("NAME", "name", teamNameOf),
  column<Team>("DESCRIPTION", "description", { flexible: true }),
  column<Team>("ACCESS", "permission", { cell: teamAccess, flexible: true }),
  column<Team>("REPOSITORIES", "includes_all_repositories", (team) =>
    team.includes_all_repositories ? "all" : "selected",
  ),
];

/** `org/team`, or the name alone where the server leaves out the organization. */
function teamNameOf(team: Team): string {
  return team.organization == null ? team.name : `${team.organization.name}/${team.name}`;
}

/** `admin`, or the access to each unit: `actions: read, code: write`. */
export function teamAccess({ permission, units_map }: Team): string {
  if (permission === "owner" || permission === "admin") return permission;
  const units = Object.entries(units_map ?? {}).map(([unit, access]) => `${unit.replace(/^repo\./, "")}: ${access}`);
  return units.length > 0 ? units.sort().join(", ") : (permission ?? "");
}

/** The columns of a list of email addresses. */
export const emailColumns = [
  column<Email>("EMAIL", "email", { style: "strong", flexible: true }),
  column<Email>("USER", "username"),
  column<Email>("PRIMARY", "primary", (item) => (item.primary ? "primary" : "")),
  column<Email>("VERIFIED", "verified", (item) => (item.verified ? "verified" : styled("warn", "not verified"))),
];

/** The columns of a list of SSH keys. */
export const keyColumns = [
  column<PublicKey>("ID", "id"),
  column<PublicKey>("TITLE", "title", { flexible: true }),
  column<PublicKey>("FINGERPRINT", "fingerprint"),
  column<PublicKey>("CREATED", "created_at", { as: "time" }),
  column<PublicKey>("LAST USED", "last_used_at", {
    cell: (key) => (key.last_used_at === key.created_at ? "" : when(key.last_used_at)),
    rank: "optional",
  }),
];
