import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { profileRecord, profileSheet, recordOf } from "./record.ts";

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
    const name = args.name ?? (await inForce(choose));
    const config = profiles.read();
    const record = recordOf(config, name);
    if (record === undefined) throw unknownProfile(config, name);
    await out.record(record, profileSheet);
  },
});

async function inForce(
  choose: () => Promise<{ readonly profile: string | undefined; readonly because: string }>,
): Promise<string> {
  const { profile, because } = await choose();
  if (profile !== undefined) return profile;
  throw new UsageError(`No stored profile is in force: ${because} names the server`, "Name one: tongs profile list");
}
