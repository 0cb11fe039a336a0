import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { type Config, profileNamed } from "../../profiles/profile.ts";
import { checkProfileName } from "../../profiles/settings.ts";
import { profileRecord, recordOf } from "./record.ts";

/** `tongs profile rename`: gives a profile another name; its token and its being the default go with it. */
export const rename = defineCommand({
  summary: "Rename a profile",
  on: "profiles",
  effect: "write",
  args: { old: one("its name now"), new: one("its new name") },
  output: profileRecord,
  examples: [["A short name for a long host", "tongs profile rename git.example.org work"]],
  async run({ args, profiles, out, options }) {
    const change = (config: Config) => renamed(config, args.old, args.new);
    change(profiles.read());
    if (await reportDryRun({ out, options }, `rename ${args.old} to ${args.new}`)) return;
    await profiles.update(change);
    await profiles.credentials.rename(args.old, args.new);
    await out.done(`${args.old} is now called ${args.new}`, {
      record: () => Promise.resolve(recordOf(profiles.read(), args.new)),
    });
  },
});

/** The configuration with one profile under another name, in the same place of the row. */
function renamed(config: Config, from: string, to: string): Config {
  checkProfileName(to);
  if (profileNamed(config, from) === undefined) throw unknownProfile(config, from);
  if (profileNamed(config, to) !== undefined) {
    throw new UsageError(`There is a profile '${to}' already`, `Remove it first: tongs profile delete ${to}`);
  }
  const profiles = Object.entries(config.profiles).map(([name, profile]) => [name === from ? to : name, profile]);
  return {
    ...(config.default === undefined ? {} : { default: config.default === from ? to : config.default }),
    profiles: Object.fromEntries(profiles),
  };
}
