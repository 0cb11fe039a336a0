import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { currentUserGet, user, userGet } from "../../forge/users.ts";
import { userSheet } from "./display.ts";

/** `tongs user view`: GET /users/{username}, or GET /user. */
export const view = defineCommand({
  summary: "View a user",
  on: "server",
  effect: "read",
  args: { name: optional("username (default: you)", { source: "account" }) },
  output: user,
  examples: [
    ["View a user", "tongs user view mara"],
    ["Print your own username and role", "tongs user view --json login,is_admin"],
  ],
  web: { page: async (context) => pagePath(context.args.name ?? (await currentUser(context))) },
  async run({ args, http, out }) {
    await out.record(
      await (args.name === undefined ? call(http, currentUserGet, {}) : call(http, userGet, { username: args.name })),
      userSheet,
    );
  },
});
