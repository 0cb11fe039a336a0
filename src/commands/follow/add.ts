import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { followAdd } from "../../forge/follows.ts";
import { call } from "../../forge/operation.ts";
import { user, userGet } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";

/** `tongs follow add`: PUT /user/following/{username} for each. */
export const add = defineCommand({
  summary: "Follow users",
  on: "server",
  effect: "write",
  args: { user: many("usernames; - reads them from stdin, one per line", { source: "account" }) },
  output: list(user),
  exits: { partly: "some users were followed, some failed" },
  examples: [
    ["Follow a user", "tongs follow mara"],
    ["Follow the users listed in a file", "tongs follow add - < users.txt"],
  ],
  async run(context) {
    const { args, http, server, system } = context;
    const work = async (name: string) => {
      await call(http, followAdd, { username: name });
      return {
        message: `Followed ${name} ${accountLabel(server)}`,
        record: () => call(http, userGet, { username: name }),
      };
    };
    return batch(await readTargets(args.user, system), work, context);
  },
});
