import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { followRemove } from "../../forge/follows.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";

/** `tongs follow remove`: DELETE /user/following/{username} for each. */
export const remove = defineCommand({
  summary: "Unfollow users",
  on: "server",
  effect: "write",
  args: { user: many("usernames; - reads them from stdin, one per line", { source: "account" }) },
  output: list(user),
  exits: { partly: "some users were unfollowed, some failed" },
  examples: [
    ["Unfollow a user", "tongs unfollow mara"],
    ["Unfollow the users listed in a file", "tongs follow remove - < users.txt"],
  ],
  async run(context) {
    const { args, http, server, system } = context;
    const work = async (name: string) => {
      await call(http, followRemove, { username: name });
      return {
        message: `Unfollowed ${name} ${accountLabel(server)}`,
        record: () => call(http, userGet, { username: name }),
      };
    };
    return batch(await readTargets(args.user, system), work, context);
  },
});
