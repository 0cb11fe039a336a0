import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { many } from "../../command/args.ts";
import { keyDelete, keyGet } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";

/** `tongs ssh-key delete`: DELETE /user/keys/{id} for each, after reading it for its title. */
export const remove = defineCommand({
  summary: "Delete SSH keys from your account",
  on: "server",
  effect: "destroy",
  args: { id: many("key IDs; - reads them from stdin, one per line") },
  exits: { partly: "some keys were deleted, some failed" },
  examples: [["Delete a key", "tongs ssh-key delete 7 --yes"]],
  async run(context) {
    const { args, http } = context;
    const deleteKey = async (id: number) => {
      const { title } = await call(http, keyGet, { id });
      await call(http, keyDelete, { id });
      return title === undefined ? undefined : { name: title };
    };
    return deleteById({ ids: args.id, noun: "SSH key", owner: "your account", delete: deleteKey }, context);
  },
});
