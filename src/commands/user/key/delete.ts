import { defineCommand } from "../../../app/define.ts";
import { deleteById } from "../../../app/delete-by-id.ts";
import { many, one } from "../../../command/args.ts";
import { userKeyDelete } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";

/** `tongs user key delete`: DELETE /admin/users/{username}/keys/{id} for each. */
export const remove = defineCommand({
  summary: "Delete a user's public keys",
  on: "server",
  effect: "destroy",
  args: { name: one("username", { source: "account" }), id: many("key IDs; - reads them from stdin, one per line") },
  exits: { partly: "some keys were deleted, some failed" },
  examples: [["Delete two keys", "tongs user key delete mara 3 4 --yes"]],
  async run(context) {
    const { args, http } = context;
    return deleteById(
      {
        ids: args.id,
        noun: "key",
        owner: args.name,
        delete: (id) => call(http, userKeyDelete, { username: args.name, id }),
      },
      context,
    );
  },
});
