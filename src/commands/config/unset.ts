import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { storeSetting } from "../../profiles/settings-keys.ts";
import { keyArgument, settingOf, settingRecord } from "./shared.ts";

/** `tongs config unset`: removes the stored value of a setting; sends no request. */
export const unset = defineCommand({
  summary: "Remove a setting, so that its default is used",
  on: "profiles",
  effect: "write",
  args: { key: keyArgument },
  output: settingRecord,
  examples: [
    ["Use the editor of the environment again", "tongs config unset editor"],
    ["Clone over HTTPS again", "tongs config unset git_protocol"],
  ],
  async run({ args, out, options, system }) {
    const { key } = args;
    if (await reportDryRun({ out, options }, `remove ${key}`)) return;
    await storeSetting(system, key, undefined);
    await out.done(`Removed ${key}`, { record: () => Promise.resolve(settingOf(system, key)) });
  },
});
