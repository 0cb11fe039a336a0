import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { profileRecord, toRecord } from "../../app/profile-record.ts";
import { one } from "../../command/args.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { requireProfile } from "../../profiles/choose.ts";
import type { Config } from "../../profiles/profile.ts";
import { profileNamed } from "../../profiles/profile.ts";
import { checkProfileName } from "../../profiles/settings.ts";

/** `tongs profile rename`: renames a profile; it keeps its token and stays the default if it was. */
export const rename = defineCommand({
  summary: "Rename a profile",
  on: "profiles",
  effect: "write",
  args: { old: one("the current name", { source: "profile" }), new: one("the new name") },
  output: profileRecord,
  examples: [["Choose a shorter name", "tongs profile rename git.example.org work"]],
  async run({ args, profiles, out, options }) {
    const change = (config: Config) => renamed(config, args.old, args.new);
    change(profiles.read());
    if (await reportDryRun({ out, options }, `rename profile ${args.old} to ${args.new}`)) return;
    await profiles.update(change);
    try {
      await profiles.credentials.rename(args.old, args.new);
    } catch (error) {
      // A profile with the new name would be signed out.
      await profiles.update((config) => renamed(config, args.new, args.old));
      throw withHint(asFailure(error), `Profile '${args.old}' was not renamed, and keeps its token.`);
    }
    await out.done(`Renamed profile ${args.old} to ${args.new}`, {
      record: toRecord(profiles.read(), args.new),
    });
  },
});

/** The configuration with one profile renamed; the order of the profiles stays the same. */
function renamed(config: Config, from: string, to: string): Config {
  checkProfileName(to);
  requireProfile(config, from);
  if (from === to) throw new UsageError(`Profile '${from}' already has this name`);
  if (profileNamed(config, to) !== undefined) {
    throw new Failure("exists", `Profile '${to}' already exists`, {
      hint: `Delete it first: tongs profile delete ${to}`,
    });
  }
  const profiles = Object.entries(config.profiles).map(([name, profile]) => [name === from ? to : name, profile]);
  return {
    ...(config.default === undefined ? {} : { default: config.default === from ? to : config.default }),
    profiles: Object.fromEntries(profiles),
  };
}
