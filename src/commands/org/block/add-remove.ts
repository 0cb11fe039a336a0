import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { blockInOrg, unblockInOrg } from "../../../forge/org-blocks.ts";
import { accountLabel } from "../../../profiles/server.ts";

const args = { org: one("organization"), user: many("usernames; - reads them from stdin, one per line") };

/** `tongs org block add`: PUT a block for each user. */
export const add = defineCommand({
  summary: "Block users from an organization",
  on: "server",
  effect: "write",
  args,
  flags: { note: text("note about the block, for owners (Forgejo ignores it)") },
  exits: { partly: "some users were blocked, some failed" },
  examples: [["Block a user", "tongs org block add tidewater priya --note spam"]],
  async run(context) {
    const { flags, http, server, system } = context;
    const { org, user } = context.args;
    const work = async (name: string) => {
      await blockInOrg(http, org, name, flags.note);
      return { message: `Blocked ${name} from ${org} ${accountLabel(server)}` };
    };
    return batch(await readTargets(user, system), work, context);
  },
});

/** `tongs org block remove`: removes the block of each user. */
export const remove = defineCommand({
  summary: "Unblock users of an organization",
  on: "server",
  effect: "write",
  args,
  exits: { partly: "some users were unblocked, some failed" },
  examples: [["Unblock a user", "tongs org block remove tidewater priya"]],
  async run(context) {
    const { http, server, system } = context;
    const { org, user } = context.args;
    const work = async (name: string) => {
      await unblockInOrg(http, org, name);
      return { message: `Unblocked ${name} from ${org} ${accountLabel(server)}` };
    };
    return batch(await readTargets(user, system), work, context);
  },
});
