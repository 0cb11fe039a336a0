import { type Command, defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { one, word } from "../../command/args.ts";
import type { Table } from "../../command/table.ts";
import { column } from "../../output/table.ts";
import {
  checkSetting,
  type SettingKey,
  settingKeys,
  settings,
  storedSetting,
  storeSetting,
} from "../../profiles/settings-keys.ts";
import { type Infer, list as listOf, nullable, record, string } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

/** A setting as it is printed. */
const settingRecord = record({
  key: string,
  /** Null if it is not set. */
  value: nullable(string),
  default: nullable(string),
  /** The environment variable that is set and used instead. */
  overridden_by: nullable(string),
});
type SettingRecord = Infer<typeof settingRecord>;

/** The argument for the key of a setting. */
const keyArgument = word(settingKeys, "the setting");

/** The record of a setting. Throws a `Failure` if the stored value is not valid. */
function settingOf(system: Pick<System, "env" | "platform">, key: SettingKey): SettingRecord {
  const { default: fallback, variable } = settings[key];
  const isOverridden = variable !== undefined && Boolean(system.env[variable]);
  return {
    key,
    value: storedSetting(system, key) ?? null,
    default: fallback ?? null,
    overridden_by: isOverridden ? variable : null,
  };
}

const columns = [
  column<SettingRecord>("KEY", "key", { style: "strong", rank: "key" }),
  column<SettingRecord>("VALUE", "value", { cell: (one) => one.value ?? one.default, flexible: true }),
  column<SettingRecord>("OVERRIDDEN BY", "overridden_by", { rank: "optional" }),
];

/** The verbs of `tongs config`. */
export const verbs: Table<Command> = {
  /** `tongs config get`: prints the value of a setting; sends no request. */
  get: async () =>
    defineCommand({
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
    }),
  /** `tongs config set`: stores the value of a setting; sends no request. */
  set: async () =>
    defineCommand({
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
    }),
  /** `tongs config list`: prints all settings with their values or defaults; sends no request. */
  list: async () =>
    defineCommand({
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
    }),
  /** `tongs config unset`: removes the stored value of a setting; sends no request. */
  unset: async () =>
    defineCommand({
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
    }),
};

/** `git_protocol: protocol of the remotes of new clones (https, ssh; default: https).` */
function keyHelp(key: (typeof settingKeys)[number]): string {
  const { about, choices = [], default: fallback } = settings[key];
  const values = choices.length === 0 ? "" : ` (${choices.join(", ")}; default: ${fallback})`;
  return `${key}: ${about}${values}.`;
}
