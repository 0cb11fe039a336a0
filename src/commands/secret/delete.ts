import { defineCommand } from "../../app/define.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { levelExclusive, levelFlags, ownerName } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { secretDelete } from "../../forge/secrets.ts";
import { deleteByName } from "../variable/delete-by-name.ts";
import { settingLevel } from "../variable/setting-level.ts";

/** `tongs secret delete`: DELETE each secret. */
export const remove = defineCommand({
  summary: "Delete secrets",
  on: "server",
  effect: "destroy",
  args: { name: many("names of secrets; - reads them from stdin, one per line", { source: "secret" }) },
  flags: levelFlags,
  exclusive: levelExclusive,
  exits: { partly: "some secrets were deleted, some failed" },
  examples: [["Delete a secret of an organization", "tongs secret delete DEPLOY_KEY --org tidewater --yes"]],
  async run(context) {
    const { args, flags, http } = context;
    const owner = await settingLevel("secret", flags, context);
    await requirePresentOwner(owner, http);
    const work = (name: string) => call(http, secretDelete, { level: owner, secretname: name });
    return deleteByName({ names: args.name, noun: "secret", owner: ownerName(owner), delete: work }, context);
  },
});
