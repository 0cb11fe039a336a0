import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { followerList, followingList, ownFollowerList, ownFollowingList } from "../../forge/follows.ts";
import { call } from "../../forge/operation.ts";
import { type User, user } from "../../forge/users.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

/** The columns of a list of users. */
export const userColumns = [
  column<User>("NAME", "login", { style: "strong" }),
  column<User>("FULL NAME", "full_name", { flexible: true }),
  column<User>("LOCATION", "location", { flexible: true }),
  column<User>("FOLLOWERS", "followers_count"),
  column<User>("JOINED", "created", { as: "time" }),
];

/** `tongs follow list`: GET /user/following, or those of another user. */
export const list = defineCommand({
  summary: "List followed users",
  on: "server",
  effect: "read",
  lists: ["followed user", "followed users"],
  flags: { user: text("list the users this user follows", { placeholder: "USER" }) },
  output: listOf(user),
  examples: [["List the users mara follows", "tongs follow list --user mara"]],
  web: {
    page: async (context) => `${pagePath(context.flags.user ?? (await currentUser(context)))}?tab=following`,
    uses: ["user"],
  },
  async run({ flags, http, out }) {
    await out.list(
      flags.user === undefined ? call(http, ownFollowingList, {}) : call(http, followingList, { username: flags.user }),
      userColumns,
    );
  },
});

/** `tongs follow followers`: GET /user/followers, or those of another user. */
export const followers = defineCommand({
  summary: "List followers",
  on: "server",
  effect: "read",
  lists: ["follower", "followers"],
  flags: { user: text("list the followers of this user", { placeholder: "USER" }) },
  output: listOf(user),
  examples: [["List the followers of mara", "tongs follow followers --user mara"]],
  web: {
    page: async (context) => `${pagePath(context.flags.user ?? (await currentUser(context)))}?tab=followers`,
    uses: ["user"],
  },
  async run({ flags, http, out }) {
    await out.list(
      flags.user === undefined ? call(http, ownFollowerList, {}) : call(http, followerList, { username: flags.user }),
      userColumns,
    );
  },
});
