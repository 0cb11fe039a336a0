import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { user } from "../../forge/users.ts";
import { list as listOf } from "../../shape/shape.ts";
import { personColumns } from "./users.ts";

/** `tongs follow list`: GET /user/following, or that of another user. */
export const list = defineCommand({
  summary: "List who is followed",
  on: "server",
  effect: "read",
  flags: { user: text("by this user instead of yourself", { placeholder: "USER" }) },
  output: listOf(user),
  examples: [["Whom mara follows", "tongs follow list --user mara"]],
  async run({ flags, forge, out }) {
    await out.list(flags.user === undefined ? forge.follows.mine() : forge.follows.ofUser(flags.user), personColumns);
  },
});
