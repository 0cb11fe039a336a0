import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { listBlocked } from "../../../forge/account.ts";
import { type User, user } from "../../../forge/users.ts";
import { styled } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

const columns = [
  column<User>("ID", (blocked) => blocked.id),
  column<User>("NAME", (blocked) => styled("strong", blocked.login)),
  column<User>("FULL NAME", (blocked) => blocked.full_name, true),
];

/** `tongs user block list`: GET /user/blocks, or GET /user/list_blocked. */
export const list = defineCommand({
  summary: "List the users you blocked",
  on: "server",
  effect: "read",
  output: listOf(user),
  examples: [["List the users you blocked", "tongs user block list"]],
  web: { page: () => pagePath("user/settings/blocked_users") },
  async run({ http, out }) {
    await out.list(listBlocked(http), columns, { what: "blocked users" });
  },
});
