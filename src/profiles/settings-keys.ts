import { join } from "node:path";
import { UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { files, invalidFile, readFile, settingsFor, updateFile } from "./files.ts";
import { isLoopback } from "./server.ts";

/** The settings of `tongs config`: strings at the top level of the configuration file, beside the profiles. */
export const settingKeys = ["editor", "pager", "browser", "git_protocol", "update_url", "journal"] as const;
export type SettingKey = (typeof settingKeys)[number];

/** What a setting is. */
interface Setting {
  readonly about: string;
  /** The only values. */
  readonly choices?: readonly string[];
  /** The value if it is not set. */
  readonly default?: string;
  /** The environment variable that is used instead, if it is set. */
  readonly variable?: string;
  /** Why a value is not valid, as the end of a sentence; undefined if it is. */
  readonly problem: (value: string) => string | undefined;
}

/** All settings, in the order in which they are listed. */
export const settings: Readonly<Record<SettingKey, Setting>> = {
  editor: { about: "editor for long texts", variable: "TONGS_EDITOR", problem: commandProblem },
  pager: {
    about: "pager for long output on a terminal; cat disables it",
    variable: "TONGS_PAGER",
    problem: commandProblem,
  },
  browser: { about: "browser for --web and browse", variable: "TONGS_BROWSER", problem: commandProblem },
  git_protocol: {
    about: "protocol of the remotes of new clones",
    default: "https",
    ...oneOf("https", "ssh"),
  },
  update_url: {
    about: "address where upgrade --check looks for new versions",
    variable: "TONGS_UPDATE_URL",
    problem: addressProblem,
  },
  journal: {
    about: "whether writes are recorded in the journal",
    default: "on",
    variable: "TONGS_JOURNAL",
    ...oneOf("on", "off"),
  },
};

type Surroundings = Pick<System, "env" | "platform">;

/** The stored value of a setting, or its default. Throws a `Failure` if the stored value is not valid. */
export function readSetting(system: Surroundings, key: SettingKey): string | undefined {
  return storedSetting(system, key) ?? settings[key].default;
}

/** The stored value of a setting. Throws a `Failure` if it is not valid. */
export function storedSetting(system: Surroundings, key: SettingKey): string | undefined {
  const location = settingsFor(system);
  const path = join(location.folder, files.config);
  const { stored } = readFile(path, location);
  const value = Object.hasOwn(stored, key) ? stored[key] : undefined;
  if (value === undefined) return undefined;
  const problem = typeof value === "string" ? settings[key].problem(value) : "must be a string";
  if (typeof value !== "string" || problem !== undefined) throw invalidFile(path, `'${key}' ${problem}`);
  return value;
}

/** Stores the value of a setting, or removes it if it is undefined. Throws a usage error if the value is not valid. */
export async function storeSetting(
  system: Surroundings & Pick<System, "signal">,
  key: SettingKey,
  value: string | undefined,
): Promise<void> {
  checkSetting(key, value);
  await updateFile({ ...settingsFor(system), signal: system.signal }, files.config, ({ [key]: _former, ...rest }) =>
    value === undefined ? rest : { ...rest, [key]: value },
  );
}

/** Throws a usage error if the value of a setting is not valid. */
export function checkSetting(key: SettingKey, value: string | undefined): void {
  const problem = value === undefined ? undefined : settings[key].problem(value);
  const hint = value?.trim() === "" ? `To remove the setting, run: tongs config unset ${key}` : undefined;
  if (problem !== undefined) throw new UsageError(`Invalid value '${value}': ${key} ${problem}`, hint);
}

function oneOf(...choices: readonly string[]): Pick<Setting, "choices" | "problem"> {
  return {
    choices,
    problem: (value) => (choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`),
  };
}

/** A command line is one line that is not empty. */
function commandProblem(value: string): string | undefined {
  return value.trim() === "" || /\p{Cc}/u.test(value) ? "must be a command in one line" : undefined;
}

function addressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!isSafe) return "must be an address that begins with https://";
  return url.username === "" && url.password === "" ? undefined : "must not contain a username or password";
}
