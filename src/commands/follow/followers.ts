import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { user } from "../../forge/users.ts";
import { list as listOf } from "../../shape/shape.ts";
import { personColumns } from "./users.ts";

/** `tongs follow followers`: GET /user/followers, or that of another user. */
export const followers = defineCommand({
  summary: "List followers",
  on: "server",
  effect: "read",
  flags: { user: text("of this user instead of yourself", { placeholder: "USER" }) },
  output: listOf(user),
  examples: [["Who follows mara", "tongs follow followers --user mara"]],
  async run({ flags, forge, out }) {
    await out.list(
      flags.user === undefined ? forge.follows.myFollowers() : forge.follows.followersOf(flags.user),
      personColumns,
    );
  },
});
