import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { one } from "../../command/args.ts";
import { checkSetting, settingKeys, settings, storeSetting } from "../../profiles/settings-keys.ts";
import { keyArgument, settingOf, settingRecord } from "./shared.ts";

/** `tongs config set`: stores the value of a setting; sends no request. */
export const set = defineCommand({
  summary: "Change a setting",
  details: settingKeys.map(keyHelp).join(" "),
  on: "profiles",
  effect: "write",
  args: { key: keyArgument, value: one("the new value") },
  output: settingRecord,
  examples: [
    ["Use another editor", "tongs config set editor 'code --wait'"],
    ["Clone over SSH", "tongs config set git_protocol ssh"],
  ],
  async run({ args, out, options, system }) {
    const { key, value } = args;
    checkSetting(key, value);
    if (await reportDryRun({ out, options }, `set ${key} to '${value}'`)) return;
    await storeSetting(system, key, value);
    const record = settingOf(system, key);
    await out.done(`Set ${key} to ${value}`, { record });
    if (record.overridden_by !== null) out.warn(`${record.overridden_by} is set and used instead`);
  },
});

/** `git_protocol: protocol of the remotes of new clones (https, ssh; default: https).` */
function keyHelp(key: (typeof settingKeys)[number]): string {
  const { about, choices = [], default: fallback } = settings[key];
  const values = choices.length === 0 ? "" : ` (${choices.join(", ")}; default: ${fallback})`;
  return `${key}: ${about}${values}.`;
}
