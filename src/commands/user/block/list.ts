import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { listBlocked } from "../../../forge/account.ts";
import { type User, user } from "../../../forge/users.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<User>("ID", "id"),
  column<User>("NAME", "login", { style: "strong" }),
  column<User>("FULL NAME", "full_name", { flexible: true }),
];

/** `tongs user block list`: GET /user/blocks, or GET /user/list_blocked. */
export const list = defineCommand({
  summary: "List the users you blocked",
  on: "server",
  effect: "read",
  lists: ["blocked user", "blocked users"],
  output: listOf(user),
  examples: [["List the users you blocked", "tongs user block list"]],
  web: { page: () => pagePath("user/settings/blocked_users") },
  async run({ http, out }) {
    await out.list(listBlocked(http), columns);
  },
});
