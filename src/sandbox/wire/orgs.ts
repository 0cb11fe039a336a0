import type { View } from "../http/route.ts";
import type { TeamRecord } from "../state/teams.ts";
import { unitNames } from "../state/teams.ts";
import type { UserRecord } from "../state/users.ts";
import { userWire } from "./users.ts";

/** `Organization`; the mail address is for the signed-in only. */
export function orgWire(view: View, org: UserRecord): Record<string, unknown> {
  const { id, name, full_name, description, website, location, visibility, repo_admin_change_team_access } = org;
  return {
    id,
    name,
    full_name,
    email: view.me === undefined ? "" : org.email,
    avatar_url: userWire(view, org).avatar_url,
    description,
    website,
    location,
    visibility,
    repo_admin_change_team_access,
    username: name,
  };
}

/** `Team`; `permission` is `none` where rights are given per unit, the organization is left out of lists. */
export function teamWire(view: View, team: TeamRecord, as: "alone" | "listed" = "listed"): Record<string, unknown> {
  const org = view.site.store.table("users").get(team.orgId);
  const isWhole = team.permission === "admin" || team.permission === "owner";
  const units_map = isWhole
    ? Object.fromEntries([...unitNames].sort().map((unit) => [unit, team.permission]))
    : team.units;
  const units = Object.keys(units_map);
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization: as === "alone" && org ? orgWire(view, org) : null,
    includes_all_repositories: team.includes_all_repositories,
    permission: isWhole ? team.permission : "none",
    units: units.length === 0 ? null : units,
    units_map,
    can_create_org_repo: team.can_create_org_repo,
    visibility: team.visibility,
  };
}
