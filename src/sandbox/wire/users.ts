import { createHash } from "node:crypto";
import type { View } from "../http/route.ts";
import type { UserRecord } from "../state/users.ts";
import { epoch, zeroTime } from "./times.ts";

const md5 = (text: string) => createHash("md5").update(text.trim().toLowerCase()).digest("hex");

/** How a user appears: private fields for oneself and administrators; `plain` hides them from everybody. */
export function userWire(view: View, user: UserRecord, as: "seen" | "plain" = "seen"): Record<string, unknown> {
  const { me, origin } = view;
  const isClose = as === "seen" && (me?.is_admin === true || me?.id === user.id);
  const noReply = `${user.id}+${user.name.toLowerCase()}@noreply.localhost`;
  const showsMail = isClose || (!user.hide_email && (me !== undefined || as === "plain"));
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

/** Followers and stars, from the areas that keep them. */
function countsOf({ site }: View, user: UserRecord): Record<string, number> {
  const none = { followers_count: 0, following_count: 0, starred_repos_count: 0 };
  return Object.assign(none, ...site.areas.map((area) => area.userCounts?.(site, user) ?? {}));
}
