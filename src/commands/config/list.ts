import { defineCommand } from "../../app/define.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { settingKeys, settings } from "../../profiles/settings-keys.ts";
import { list as listOf } from "../../shape/shape.ts";
import { type SettingRecord, settingOf, settingRecord } from "./shared.ts";

const columns = [
  column<SettingRecord>("KEY", ({ key }) => styled("strong", key), false, "key"),
  column<SettingRecord>("VALUE", (one) => one.value ?? one.default, true),
  column<SettingRecord>("OVERRIDDEN BY", (one) => one.overridden_by, false, "optional"),
];

/** `tongs config list`: prints all settings with their values or defaults; sends no request. */
export const list = defineCommand({
  summary: "List settings",
  details: settingKeys.map((key) => `${key}: ${settings[key].about}.`).join(" "),
  on: "profiles",
  effect: "read",
  output: listOf(settingRecord),
  examples: [["List all settings", "tongs config list"]],
  async run({ out, system }) {
    const records = settingKeys.map((key) => settingOf(system, key));
    await out.list(records, columns, { unlimited: true });
  },
});
