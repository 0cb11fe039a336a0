import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many, one } from "../../../command/args.ts";
import { wholeNumber } from "../../../command/flags.ts";
import { accountLabel } from "../../../profiles/server.ts";

/** `tongs user key delete`: DELETE /admin/users/{username}/keys/{id} for each. */
export const remove = defineCommand({
  summary: "Delete public keys of a user",
  on: "server",
  effect: "destroy",
  args: { name: one("the user"), id: many("the keys' ids; - reads them from stdin, one a line") },
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Delete two", "tongs user key delete mara 3 4 --yes"]],
  async run(context) {
    const { args, forge, prompt, server, system } = context;
    const ids = (await readTargets(args.id, system)).map((id) => wholeNumber(id, "ID", 1));
    await prompt.confirmAction({
      what: `Delete ${ids.length === 1 ? `key ${ids[0]}` : `${ids.length} keys`} of ${args.name}`,
    });
    const work = async (id: number) => {
      await forge.adminUsers.deleteKey(args.name, id);
      return { message: `Deleted key ${id} of ${args.name} ${accountLabel(server)}` };
    };
    return batch(ids, work, context);
  },
});
