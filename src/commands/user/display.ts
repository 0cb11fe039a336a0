import type { User } from "../../forge/users.ts";
import { type Cell, styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";

/** The columns of a list of users, for administrators. */
export const userColumns = [
  column<User>("ID", "id"),
  column<User>("NAME", "login", { style: "strong", rank: "key" }),
  column<User>("FULL NAME", "full_name", { flexible: true }),
  column<User>("EMAIL", "email", { flexible: true }),
  column<User>("ROLE", "is_admin", { cell: role, whole: true }),
  column<User>("STATE", "active", { cell: userState, whole: true }),
  column<User>("LAST SIGN-IN", "last_login", { as: "time or never" }),
];

/** The role of a user. */
function role(user: User): string {
  if (user.is_admin) return "admin";
  return user.restricted ? "restricted" : "user";
}

/** Whether a user can sign in, and the visibility if it is not public. */
function userState(user: User): Cell {
  if (!user.active) return styled("warn", "inactive");
  if (user.prohibit_login) return styled("bad", "sign-in prohibited");
  const shown = user.visibility === undefined || user.visibility === "public" ? "" : `, ${user.visibility}`;
  return styled("good", `active${shown}`);
}

/** The sheet of a user. Leaves out what the server shows only to administrators and to the user. */
export function userSheet(user: User): Sheet {
  const hidden = user.last_login == null || user.last_login.startsWith("0001-");
  return {
    title: user.full_name ? `${user.full_name} (${user.login})` : user.login,
    fields: [
      ["id", user.id],
      ["role", hidden ? undefined : role(user)],
      ["state", hidden ? undefined : userState(user)],
      ["email", user.email],
      ["visibility", user.visibility],
      ["auth source", hidden || !user.source_id ? undefined : `${user.source_id} as ${user.login_name ?? "?"}`],
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
