import { defineCommand } from "../../app/define.ts";
import { keyArgument, settingOf, settingRecord } from "./shared.ts";

/** `tongs config get`: prints the value of a setting; sends no request. */
export const get = defineCommand({
  summary: "Print the value of a setting",
  details: "Prints the value, or the default.",
  on: "profiles",
  effect: "read",
  args: { key: keyArgument },
  output: settingRecord,
  examples: [["Print the protocol of the remotes of new clones", "tongs config get git_protocol"]],
  async run({ args, out, system }) {
    const found = settingOf(system, args.key);
    if (out.records) return out.record(found, () => ({ fields: [] }));
    const value = found.value ?? found.default;
    if (value === null) out.note(`${args.key} is not set`);
    else await out.raw(`${value}\n`);
    if (found.overridden_by !== null) out.note(`${found.overridden_by} is set and used instead.`);
  },
});
