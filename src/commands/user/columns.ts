import type { User } from "../../forge/users.ts";
import { type Cell, styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

/** An account in one line, as its administrator wants it. */
export const accountColumns = [
  column<User>("ID", (user) => user.id),
  column<User>("NAME", (user) => styled("strong", user.login)),
  column<User>("FULL NAME", (user) => user.full_name, true),
  column<User>("EMAIL", (user) => user.email, true),
  column<User>("ROLE", role),
  column<User>("STATE", accountState),
  column<User>("LAST SIGN-IN", (user) => when(user.last_login, "never")),
];

/** What somebody is: one word. */
export function role(user: User): string {
  if (user.is_admin) return "admin";
  return user.restricted ? "restricted" : "user";
}

/** Whether somebody can sign in, and who can see them. */
export function accountState(user: User): Cell {
  if (!user.active) return styled("warn", "inactive");
  if (user.prohibit_login) return styled("bad", "sign-in prohibited");
  const seen = user.visibility === undefined || user.visibility === "public" ? "" : `, ${user.visibility}`;
  return styled("good", `active${seen}`);
}
