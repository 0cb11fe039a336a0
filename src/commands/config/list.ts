import { defineCommand } from "../../app/define.ts";
import { column } from "../../output/table.ts";
import { settingKeys, settings } from "../../profiles/settings-keys.ts";
import { list as listOf } from "../../shape/shape.ts";
import { type SettingRecord, settingOf, settingRecord } from "./shared.ts";

const columns = [
  column<SettingRecord>("KEY", "key", { style: "strong", rank: "key" }),
  column<SettingRecord>("VALUE", "value", { cell: (one) => one.value ?? one.default, flexible: true }),
  column<SettingRecord>("OVERRIDDEN BY", "overridden_by", { rank: "optional" }),
];

/** `tongs config list`: prints all settings with their values or defaults; sends no request. */
export const list = defineCommand({
  summary: "List settings",
  details: settingKeys.map((key) => `${key}: ${settings[key].about}.`).join(" "),
  on: "profiles",
  effect: "read",
  lists: ["setting", "settings"],
  output: listOf(settingRecord),
  examples: [["List all settings", "tongs config list"]],
  async run({ out, system }) {
    const records = settingKeys.map((key) => settingOf(system, key));
    await out.list(records, columns, { unlimited: true });
  },
});
