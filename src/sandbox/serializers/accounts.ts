import { createHash } from "node:crypto";
import { teamUnits } from "../../forge/teams.ts";
import type { View } from "../http/route.ts";
import { epoch, zeroTime } from "../http/time.ts";
import { recordOf } from "../release.ts";
import type { TeamRecord, UserRecord } from "../state/records/accounts.ts";

const md5 = (text: string) => createHash("md5").update(text.trim().toLowerCase()).digest("hex");

/** What only the user and administrators see. */
const hidden = { login_name: "", source_id: 0, language: "", is_admin: false, active: false, prohibit_login: false };

/** `User`. Private fields are shown to the user and to administrators; `plain` hides them from everyone. */
export function userJson(view: View, user: UserRecord, as: "full" | "plain" = "full"): Record<string, unknown> {
  const { currentUser, origin, site } = view;
  const isClose = as === "full" && (currentUser?.is_admin === true || currentUser?.id === user.id);
  const noReply = `${user.id}+${user.name.toLowerCase()}@noreply.localhost`;
  const showsMail = isClose || (!user.hide_email && (currentUser !== undefined || as === "plain"));
  const computed = {
    login: user.name,
    email: user.kind === "organization" || showsMail ? user.email : noReply,
    avatar_url: `${origin}/avatars/${md5(user.email === "" ? user.name : user.email)}`,
    html_url: `${origin}/${user.name}`,
    last_login: isClose ? epoch : zeroTime,
    username: user.name,
    followers_count: site.table("follows").filter(({ targetId }) => targetId === user.id).length,
    following_count: site.table("follows").filter(({ userId }) => userId === user.id).length,
    starred_repos_count: site.table("stars").filter(({ userId }) => userId === user.id).length,
  };
  return recordOf(site, "User", user, isClose ? {} : hidden, computed);
}

/** `Organization`. The email address is shown to authenticated users only. */
export function orgJson(view: View, org: UserRecord): Record<string, unknown> {
  const email = view.currentUser === undefined ? "" : org.email;
  const { avatar_url } = userJson(view, org);
  return recordOf(view.site, "Organization", org, { email, avatar_url, username: org.name });
}

/** `Team`. `permission` is `none` if permissions are set per unit. The organization is omitted from lists. */
export function teamJson(view: View, team: TeamRecord, as: "alone" | "listed" = "listed"): Record<string, unknown> {
  const org = view.site.table("users").get(team.orgId);
  const isWhole = team.permission === "admin" || team.permission === "owner";
  const units_map = isWhole
    ? Object.fromEntries([...teamUnits].sort().map((unit) => [unit, team.permission]))
    : team.units;
  const units = Object.keys(units_map);
  return recordOf(view.site, "Team", team, {
    organization: as === "alone" && org ? orgJson(view, org) : null,
    permission: isWhole ? team.permission : "none",
    units: units.length === 0 ? null : units,
    units_map,
  });
}
