import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { one } from "../../command/args.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import { profileRecord, recordOf } from "./record.ts";

/** `tongs profile use`: makes a profile the default. */
export const use = defineCommand({
  summary: "Make a profile the default",
  details: "The default counts where no flag, environment variable, repository, rule or git remote says otherwise.",
  on: "profiles",
  effect: "write",
  args: { name: one("the profile's name") },
  output: profileRecord,
  examples: [["Work as mara from now on", "tongs profile use mara"]],
  async run({ args, profiles, out, options }) {
    const { name } = args;
    const config = profiles.read();
    if (profileNamed(config, name) === undefined) throw unknownProfile(config, name);
    if (await reportDryRun({ out, options }, `make ${name} the default`)) return;
    await profiles.update((stored) => {
      if (profileNamed(stored, name) === undefined) throw unknownProfile(stored, name);
      return { ...stored, default: name };
    });
    await out.done(`${name} is the default profile`, {
      record: () => Promise.resolve(recordOf(profiles.read(), name)),
    });
  },
});
