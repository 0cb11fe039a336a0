import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readTargets } from "../../app/input.ts";
import { profileRecord, toRecord } from "../../app/profile-record.ts";
import { many } from "../../command/args.ts";
import { requireProfile } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { list } from "../../shape/shape.ts";

/** `tongs profile delete`: deletes profiles and their tokens; sends no request. */
export const remove = defineCommand({
  summary: "Delete profiles and their tokens",
  details: "The tokens stay valid on their servers. Delete them there as well if nothing else uses them.",
  on: "profiles",
  effect: "destroy",
  args: { name: many("names of profiles", { dash: "lines", source: "profile" }) },
  output: list(profileRecord),
  exits: { partly: "some profiles could not be deleted" },
  examples: [["Delete a profile without confirmation", "tongs profile delete old.example.org --yes"]],
  async run(context) {
    const { args, profiles, prompt, system } = context;
    const names = await readTargets(args.name, system);
    const config = profiles.read();
    const [first = ""] = names;
    if (names.every((name) => profileNamed(config, name) === undefined)) requireProfile(config, first);
    const label = `${names.length === 1 ? "profile" : "profiles"} ${names.join(", ")}`;
    if (await reportDryRun(context, `delete ${label}`)) return;
    await prompt.confirmAction({ what: `Delete ${label}`, sends: undefined });
    return batch(names, (name) => deleteProfile(profiles, name), context, { jobs: 1 });
  },
});

async function deleteProfile(profiles: Profiles, name: string) {
  const config = profiles.read();
  const record = toRecord(config, name);
  // Delete the token first: one left without its profile would be used by the next profile of that name.
  await profiles.credentials.delete(name);
  await profiles.update(({ default: chosen, profiles: { [name]: _deleted, ...rest } }) => ({
    ...(chosen === undefined || chosen === name ? {} : { default: chosen }),
    profiles: rest,
  }));
  return { message: `Deleted profile ${name}${record.default ? "; no profile is the default now" : ""}`, record };
}
