import { batch } from "../../command/batch.ts";
import { defineCommand } from "../../command/define.ts";
import { readTargets } from "../../command/targets.ts";
import { list } from "../../forge/records/shape.ts";
import { user } from "../../forge/records/user.ts";
import { asWhom } from "../../profiles/as-whom.ts";
import { userNames } from "./users.ts";

/** `tongs follow remove`: DELETE /user/following/{username} for each. */
export const remove = defineCommand({
  summary: "Stop following users",
  on: "server",
  effect: "write",
  args: { user: userNames },
  output: list(user),
  exits: { partly: "some are no longer followed, some could not be dealt with" },
  examples: [
    ["Stop following one", "tongs unfollow mara"],
    ["Those that a file names", "tongs follow remove - < users.txt"],
  ],
  async run(context) {
    const { args, forge, server, system } = context;
    const work = async (name: string) => {
      await forge.follows.remove(name);
      return { message: `No longer following ${name} ${asWhom(server)}`, record: () => forge.users.get(name) };
    };
    return batch(await readTargets(args.user, system), work, context);
  },
});
