import { batch } from "../../command/batch.ts";
import { defineCommand } from "../../command/define.ts";
import { readTargets } from "../../command/targets.ts";
import { list } from "../../forge/records/shape.ts";
import { user } from "../../forge/records/user.ts";
import { asWhom } from "../../profiles/as-whom.ts";
import { userNames } from "./users.ts";

/** `tongs follow add`: PUT /user/following/{username} for each. */
export const add = defineCommand({
  summary: "Follow users",
  on: "server",
  effect: "write",
  args: { user: userNames },
  output: list(user),
  exits: { partly: "some are followed now, some could not be" },
  examples: [
    ["Follow one", "tongs follow mara"],
    ["Follow those that a file names", "tongs follow add - < users.txt"],
  ],
  async run(context) {
    const { args, forge, server, system } = context;
    const work = async (name: string) => {
      await forge.follows.add(name);
      return { message: `Following ${name} ${asWhom(server)}`, record: () => forge.users.get(name) };
    };
    return batch(await readTargets(args.user, system), work, context);
  },
});
