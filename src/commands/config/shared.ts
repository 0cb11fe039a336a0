import { word } from "../../command/args.ts";
import { type SettingKey, settingKeys, settings, storedSetting } from "../../profiles/settings-keys.ts";
import { type Infer, nullable, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

/** A setting as it is printed. */
export const settingRecord = record({
  key: string,
  /** Null if it is not set. */
  value: nullable(string),
  default: nullable(string),
  /** The environment variable that is set and used instead. */
  overridden_by: nullable(string),
});
export type SettingRecord = Infer<typeof settingRecord>;

/** The argument for the key of a setting. */
export const keyArgument = word(settingKeys, "the setting");

/** The record of a setting. Throws a `Failure` if the stored value is not valid. */
export function settingOf(system: Pick<System, "env" | "platform">, key: SettingKey): SettingRecord {
  const { default: fallback, variable } = settings[key];
  const isOverridden = variable !== undefined && Boolean(system.env[variable]);
  return {
    key,
    value: storedSetting(system, key) ?? null,
    default: fallback ?? null,
    overridden_by: isOverridden ? variable : null,
  };
}
