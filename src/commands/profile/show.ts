import { defineCommand } from "../../app/define.ts";
import { currentProfileName, profileRecord, profileSheet, toRecord } from "../../app/profile-record.ts";
import { optional } from "../../command/args.ts";

/** `tongs profile show`: prints a stored profile; sends no request. */
export const show = defineCommand({
  summary: "Show a profile",
  on: "profiles",
  effect: "read",
  args: { name: optional("the name of the profile (default: the current profile)", { source: "profile" }) },
  output: profileRecord,
  examples: [
    ["Show the current profile", "tongs profile show"],
    ["Print only the host of a profile", "tongs profile show work --jq .host"],
  ],
  async run({ args, choose, profiles, out }) {
    const name = args.name ?? (await currentProfileName(choose));
    await out.record(toRecord(profiles.read(), name), profileSheet);
  },
});
