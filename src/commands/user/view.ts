import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { user } from "../../forge/users.ts";
import { userSheet } from "./display.ts";

/** `tongs user view`: GET /users/{username}, or GET /user. */
export const view = defineCommand({
  summary: "Show an account",
  on: "server",
  effect: "read",
  args: { name: optional("the user; left out, yourself") },
  output: user,
  examples: [
    ["Show mara", "tongs user view mara"],
    ["Who am I?", "tongs user view --json login,is_admin"],
  ],
  async run({ args, forge, out }) {
    await out.record(await (args.name === undefined ? forge.users.me() : forge.users.get(args.name)), userSheet);
  },
});
