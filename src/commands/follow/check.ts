import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { user } from "../../forge/users.ts";
import { list } from "../../shape/shape.ts";

/** `tongs follow check`: GET /user/following/{username}, or for another user; the answer is the exit code. */
export const check = defineCommand({
  summary: "Tell whether a user is followed",
  on: "server",
  effect: "read",
  args: { user: one("the user who may be followed") },
  flags: { by: text("by this user instead of yourself", { placeholder: "USER" }) },
  output: list(user),
  exits: { ok: "followed", failure: "not followed" },
  examples: [
    ["Do you follow mara?", "tongs follow check mara"],
    ["Does jonas?", "tongs follow check mara --by jonas"],
  ],
  async run({ args, flags, forge, out }) {
    const { by } = flags;
    const followed = await (by === undefined ? forge.follows.check(args.user) : forge.follows.checkBy(by, args.user));
    // The servers say 404 for "not followed" and for "no such user"; the latter is no answer to the question.
    const record = followed && !out.records ? undefined : await forge.users.get(args.user);
    if (!followed && by !== undefined) await forge.users.get(by);
    if (out.records) await out.items(followed ? [record] : []);
    else out.note(`${args.user} is ${followed ? "" : "not "}followed${by === undefined ? "" : ` by ${by}`}`);
    return followed ? undefined : "failure";
  },
});
