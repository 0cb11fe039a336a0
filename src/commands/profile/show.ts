import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { currentProfileName, profileRecord, profileSheet, recordOf } from "./shared.ts";

/** `tongs profile show`: what is stored; nothing is sent. */
export const show = defineCommand({
  summary: "Show a stored profile",
  on: "profiles",
  effect: "read",
  args: { name: optional("its name; left out, the profile in force") },
  output: profileRecord,
  examples: [
    ["The one in force here", "tongs profile show"],
    ["Its host, for a script", "tongs profile show work --jq .host"],
  ],
  async run({ args, choose, profiles, out }) {
    const name = args.name ?? (await currentProfileName(choose));
    const config = profiles.read();
    const record = recordOf(config, name);
    if (record === undefined) throw unknownProfile(config, name);
    await out.record(record, profileSheet);
  },
});
