import { byLogin } from "../../app/by-login.ts";
import { userColumns } from "../../app/columns.ts";
import type { ServerContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  actorFollow,
  followAdd,
  followerList,
  followingCheck,
  followingList,
  followRemove,
  ownFollowerList,
  ownFollowingCheck,
  ownFollowingList,
} from "../../forge/follows.ts";
import { call } from "../../forge/operation.ts";
import { userGet } from "../../forge/users.ts";
import { remoteActor } from "./remote-actor.ts";

const users = resource({
  ...inServer,
  ...byLogin,
  noun: ["user", "users"],
  a: "a user",
  argument: { ...byLogin.argument, source: "account" },
});

/** The verbs of `tongs follow`. */
export const verbs: Table<Command> = {
  add: users.each({
    verb: ["follow", "followed"],
    details:
      "@USER@HOST, or the address of an actor, is a user of another server, if the servers are federated. The address for " +
      "@USER@HOST is asked of HOST (WebFinger).",
    async work({ login }, { http, options, server, system }) {
      const target = await remoteActor(login, system, options);
      if (target !== undefined) return call(http, actorFollow, {}, { target });
      // Servers take it, and do nothing.
      if (login.toLowerCase() === server.user?.toLowerCase()) throw new UsageError("You cannot follow yourself");
      await call(http, followAdd, { username: login });
      return () => call(http, userGet, { username: login });
    },
    examples: [
      ["Follow a user", "tongs follow mara"],
      ["Follow the users listed in a file", "tongs follow add - < users.txt"],
      ["Follow a user of another server", "tongs follow add https://other.example.org/api/v1/activitypub/user-id/15"],
    ],
  }),
  remove: users.each({
    verb: ["unfollow", "unfollowed"],
    already: "not followed",
    async work({ login }, { http }) {
      await call(http, followRemove, { username: login });
      return () => call(http, userGet, { username: login });
    },
    examples: [
      ["Unfollow a user", "tongs unfollow mara"],
      ["Unfollow the users listed in a file", "tongs follow remove - < users.txt"],
    ],
  }),
  list: users.list({
    lists: ["followed user", "followed users"],
    flags: { user: text("list the users this user follows", { placeholder: "USER" }) },
    columns: userColumns,
    fetch: ({ flags: { user: username }, http }) =>
      username === undefined ? call(http, ownFollowingList, {}) : call(http, followingList, { username }),
    page: async (context) => `${await profilePage(context)}?tab=following`,
    pageUses: ["user"],
    summary: "List followed users",
    examples: [["List the users mara follows", "tongs follow list --user mara"]],
  }),
  followers: users.list({
    lists: ["follower", "followers"],
    flags: { user: text("list the followers of this user", { placeholder: "USER" }) },
    columns: userColumns,
    fetch: ({ flags: { user: username }, http }) =>
      username === undefined ? call(http, ownFollowerList, {}) : call(http, followerList, { username }),
    page: async (context) => `${await profilePage(context)}?tab=followers`,
    pageUses: ["user"],
    summary: "List followers",
    examples: [["List the followers of mara", "tongs follow followers --user mara"]],
  }),
  check: users.check({
    summary: "Check whether you follow a user",
    flags: { by: text("check for this user instead of yourself", { placeholder: "USER" }) },
    holds: ({ login }, { flags: { by }, http }) =>
      by === undefined
        ? call(http, ownFollowingCheck, { username: login })
        : call(http, followingCheck, { username: by, target: login }),
    record: ({ login }, { http }) => call(http, userGet, { username: login }),
    exists: async (_, { flags: { by }, http }) => by === undefined || call(http, userGet, { username: by }),
    says: ({ login }, holds, { flags: { by } }) =>
      by === undefined
        ? `You ${holds ? "follow" : "do not follow"} ${login}`
        : `${by} ${holds ? "follows" : "does not follow"} ${login}`,
    exits: { ok: "followed", failure: "not followed" },
    examples: [
      ["Check whether you follow mara", "tongs follow check mara"],
      ["Check whether jonas follows mara", "tongs follow check mara --by jonas"],
    ],
  }),
};

/** The page of the user whose follows are listed. */
async function profilePage(context: ServerContext & { readonly flags: { readonly user: string | undefined } }) {
  return pagePath(context.flags.user ?? (await currentUser(context)));
}
