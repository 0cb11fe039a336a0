import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { blockUser, unblockUser } from "../../../forge/account.ts";
import { call } from "../../../forge/operation.ts";
import { user, userGet } from "../../../forge/users.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";

const users = many("usernames; - reads them from stdin, one per line", { source: "account" });

/** `tongs user block add`: PUT /user/blocks/{username}, or PUT /user/block/{username}. */
export const add = defineCommand({
  summary: "Block users",
  details:
    "A blocked user cannot open issues or pull requests in your repositories, comment on them, or follow you. You and " +
    "the user stop following each other.",
  on: "server",
  effect: "write",
  args: { user: users },
  flags: { note: text("note about the block, which only you can see; some servers do not keep it") },
  output: list(user),
  exits: { partly: "some users were blocked, some failed" },
  examples: [["Block a user", "tongs user block add jonas"]],
  async run(context) {
    const { args, flags, http, server, system } = context;
    const block = async (name: string) => {
      await blockUser(http, name, flags.note);
      return {
        message: `Blocked ${name} ${accountLabel(server)}`,
        record: () => call(http, userGet, { username: name }),
      };
    };
    return batch(await readTargets(args.user, system), block, context);
  },
});

/** `tongs user block remove`: DELETE /user/blocks/{username}, or PUT /user/unblock/{username}. */
export const remove = defineCommand({
  summary: "Unblock users",
  on: "server",
  effect: "write",
  args: { user: users },
  output: list(user),
  exits: { partly: "some users were unblocked, some failed" },
  examples: [["Unblock a user", "tongs user block remove jonas"]],
  async run(context) {
    const { args, http, server, system } = context;
    const unblock = async (name: string) => {
      await unblockUser(http, name);
      return {
        message: `Unblocked ${name} ${accountLabel(server)}`,
        record: () => call(http, userGet, { username: name }),
      };
    };
    return batch(await readTargets(args.user, system), unblock, context);
  },
});
