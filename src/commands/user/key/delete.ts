import { defineCommand } from "../../../app/define.ts";
import { deleteById } from "../../../app/delete-by-id.ts";
import { many, one } from "../../../command/args.ts";

/** `tongs user key delete`: DELETE /admin/users/{username}/keys/{id} for each. */
export const remove = defineCommand({
  summary: "Delete public keys of a user",
  on: "server",
  effect: "destroy",
  args: { name: one("the user"), id: many("the keys' ids; - reads them from stdin, one a line") },
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Delete two", "tongs user key delete mara 3 4 --yes"]],
  async run(context) {
    const { args, forge } = context;
    return deleteById(
      { ids: args.id, noun: "key", owner: args.name, delete: (id) => forge.adminUsers.deleteKey(args.name, id) },
      context,
    );
  },
});
