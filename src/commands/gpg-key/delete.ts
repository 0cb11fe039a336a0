import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { gpgKeyDelete } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { ownKeys } from "./shared.ts";

/** `tongs gpg-key delete`: DELETE /user/gpg_keys/{id} for each. */
export const remove = defineCommand({
  summary: "Delete GPG keys from your account",
  on: "server",
  effect: "destroy",
  args: { key: many("IDs, key IDs or fingerprints; - reads them from stdin, one per line") },
  exits: { partly: "some keys were deleted, some failed" },
  examples: [["Delete a key", "tongs gpg-key delete 6E60D493D5589E96 --yes"]],
  async run(context) {
    const { args, http, prompt, server, system } = context;
    const targets = await readTargets(args.key, system);
    const what = targets.length === 1 ? `GPG key ${targets[0]}` : `${targets.length} GPG keys`;
    await prompt.confirmAction({ what: `Delete ${what} from your account` });
    const find = await ownKeys(http);
    return batch(
      targets,
      async (typed) => {
        const { id, key_id } = find(typed);
        await call(http, gpgKeyDelete, { id });
        return { message: `Deleted GPG key ${key_id} from your account ${accountLabel(server)}` };
      },
      context,
    );
  },
});
