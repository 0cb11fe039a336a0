import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { followingCheck, ownFollowingCheck } from "../../forge/follows.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import { list } from "../../shape/shape.ts";

/** `tongs follow check`: GET /user/following/{username}, or for another user; the exit code is the answer. */
export const check = defineCommand({
  summary: "Check whether you follow a user",
  on: "server",
  effect: "read",
  args: { user: one("username", { source: "account" }) },
  flags: { by: text("check for this user instead of yourself", { placeholder: "USER" }) },
  output: list(user),
  exits: { ok: "followed", failure: "not followed" },
  examples: [
    ["Check whether you follow mara", "tongs follow check mara"],
    ["Check whether jonas follows mara", "tongs follow check mara --by jonas"],
  ],
  async run({ args, flags, http, out }) {
    const { by } = flags;
    const followed = await (by === undefined
      ? call(http, ownFollowingCheck, { username: args.user })
      : call(http, followingCheck, { username: by, target: args.user }));
    // Servers respond with 404 both to "not followed" and to an unknown user, which is an error here.
    const record = followed && !out.records ? undefined : await call(http, userGet, { username: args.user });
    if (!followed && by !== undefined) await call(http, userGet, { username: by });
    if (out.records) await out.items(followed ? [record] : []);
    else
      out.note(
        by === undefined
          ? `You ${followed ? "follow" : "do not follow"} ${args.user}`
          : `${by} ${followed ? "follows" : "does not follow"} ${args.user}`,
      );
    return followed ? undefined : "failure";
  },
});
