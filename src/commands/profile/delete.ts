import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import { list } from "../../shape/shape.ts";
import { profileRecord, recordOf } from "./record.ts";

/** `tongs profile delete`: forgets profiles and their tokens. */
export const remove = defineCommand({
  summary: "Delete profiles with their tokens",
  details: "The tokens stay valid on their servers; delete them there, too, when nothing else uses them.",
  on: "profiles",
  effect: "destroy",
  args: { name: many("the profiles' names") },
  output: list(profileRecord),
  exits: { partly: "some were deleted, some could not be" },
  examples: [["Without a question", "tongs profile delete old.example.org --yes"]],
  async run(context) {
    const { args, profiles, prompt, system } = context;
    const names = await readTargets(args.name, system);
    const config = profiles.read();
    const [first = ""] = names;
    if (names.every((name) => profileNamed(config, name) === undefined)) throw unknownProfile(config, first);
    if (await reportDryRun(context, `delete ${names.join(", ")}`)) return;
    await prompt.confirmAction({
      what: `Delete ${names.length === 1 ? "the profile" : "the profiles"} ${names.join(", ")}`,
    });
    return batch(names, (name) => forget(profiles, name), context, { jobs: 1 });
  },
});

async function forget(profiles: Profiles, name: string) {
  const config = profiles.read();
  const record = recordOf(config, name);
  if (record === undefined) throw unknownProfile(config, name);
  // The token first: one that is left without a profile would be found by the next profile of that name.
  await profiles.credentials.delete(name);
  await profiles.update(({ default: chosen, profiles: { [name]: _gone, ...rest } }) => ({
    ...(chosen === undefined || chosen === name ? {} : { default: chosen }),
    profiles: rest,
  }));
  return { message: `Deleted the profile ${name}${record.default ? "; none is the default now" : ""}`, record };
}
