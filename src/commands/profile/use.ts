import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { profileRecord, toRecord } from "../../app/profile-record.ts";
import { one } from "../../command/args.ts";
import { requireProfile } from "../../profiles/choose.ts";

/** `tongs profile use`: stores the name of the default profile. */
export const use = defineCommand({
  summary: "Set the default profile",
  details:
    "The default profile is used unless a flag, environment variable, repository, rule or git remote selects another.",
  on: "profiles",
  effect: "write",
  args: { name: one("the name of the profile", { source: "profile" }) },
  output: profileRecord,
  examples: [["Make mara the default profile", "tongs profile use mara"]],
  async run({ args, profiles, out, options }) {
    const { name } = args;
    requireProfile(profiles.read(), name);
    if (await reportDryRun({ out, options }, `make ${name} the default profile`)) return;
    await profiles.update((stored) => {
      requireProfile(stored, name);
      return { ...stored, default: name };
    });
    await out.done(`Set ${name} as the default profile`, {
      record: toRecord(profiles.read(), name),
    });
  },
});
