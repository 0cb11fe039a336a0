import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { type User, user } from "../../forge/users.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

/** An account in one line, for people who are not its administrator. */
const personColumns = [
  column<User>("NAME", (user) => styled("strong", user.login)),
  column<User>("FULL NAME", (user) => user.full_name, true),
  column<User>("LOCATION", (user) => user.location, true),
  column<User>("FOLLOWERS", (user) => user.followers_count),
  column<User>("JOINED", (user) => when(user.created)),
];

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
