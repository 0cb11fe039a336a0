import { createHash } from "node:crypto";
import type { View } from "../http/route.ts";
import { type TeamRecord, type UserRecord, unitNames } from "../state/records/accounts.ts";
import { epoch, zeroTime } from "./values.ts";

const md5 = (text: string) => createHash("md5").update(text.trim().toLowerCase()).digest("hex");

/** `User`. Private fields are shown to the user and to administrators; `plain` hides them from everyone. */
export function userWire(view: View, user: UserRecord, as: "full" | "plain" = "full"): Record<string, unknown> {
  const { currentUser, origin } = view;
  const isClose = as === "full" && (currentUser?.is_admin === true || currentUser?.id === user.id);
  const noReply = `${user.id}+${user.name.toLowerCase()}@noreply.localhost`;
  const showsMail = isClose || (!user.hide_email && (currentUser !== undefined || as === "plain"));
  const email = user.kind === "organization" ? user.email : showsMail ? user.email : noReply;
  return {
    id: user.id,
    login: user.name,
    login_name: isClose ? user.login_name : "",
    source_id: isClose ? user.source_id : 0,
    full_name: user.full_name,
    email,
    avatar_url: `${origin}/avatars/${md5(user.email === "" ? user.name : user.email)}`,
    html_url: `${origin}/${user.name}`,
    language: isClose ? user.language : "",
    is_admin: isClose && user.is_admin,
    last_login: isClose ? epoch : zeroTime,
    created: user.created,
    restricted: user.restricted,
    active: isClose && user.active,
    prohibit_login: isClose && user.prohibit_login,
    location: user.location,
    website: user.website,
    description: user.description,
    visibility: user.visibility,
    ...countsOf(view, user),
    username: user.name,
  };
}

/** The counts of followers and stars, from their areas. */
function countsOf({ site }: View, user: UserRecord): Record<string, number> {
  const none = { followers_count: 0, following_count: 0, starred_repos_count: 0 };
  return Object.assign(none, ...site.areas.map((area) => area.userCounts?.(site, user) ?? {}));
}

/** `Organization`. The email address is shown to authenticated users only. */
export function orgWire(view: View, org: UserRecord): Record<string, unknown> {
  const { id, name, full_name, description, website, location, visibility, repo_admin_change_team_access } = org;
  return {
    id,
    name,
    full_name,
    email: view.currentUser === undefined ? "" : org.email,
    avatar_url: userWire(view, org).avatar_url,
    description,
    website,
    location,
    visibility,
    repo_admin_change_team_access,
    username: name,
  };
}

/** `Team`. `permission` is `none` if permissions are set per unit. The organization is omitted from lists. */
export function teamWire(view: View, team: TeamRecord, as: "alone" | "listed" = "listed"): Record<string, unknown> {
  const org = view.site.table("users").get(team.orgId);
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
