import type { User } from "../../forge/users.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { accountState, role } from "./columns.ts";

/** An account for reading. What only administrators and the person see is left out when the server hides it. */
export function userSheet(user: User): Sheet {
  const hidden = user.last_login === undefined || user.last_login.startsWith("0001-");
  return {
    title: user.full_name ? `${user.full_name} (${user.login})` : user.login,
    fields: [
      ["id", user.id],
      ["role", hidden ? undefined : role(user)],
      ["state", hidden ? undefined : accountState(user)],
      ["email", user.email],
      ["visibility", user.visibility],
      ["login source", hidden || !user.source_id ? undefined : `${user.source_id} as ${user.login_name ?? "?"}`],
      ["location", user.location],
      ["website", user.website],
      ["followers", user.followers_count],
      ["following", user.following_count],
      ["stars", user.starred_repos_count],
      ["created", when(user.created)],
      ["last sign-in", hidden ? undefined : when(user.last_login, "never")],
      ["url", styled("link", user.html_url)],
    ],
    body: user.description,
  };
}
