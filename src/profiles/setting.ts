import { join } from "node:path";
import type { System } from "../system/system.ts";
import { files, invalidFile, readFile } from "./files.ts";
import { configFolder } from "./profiles.ts";

/**
 * A setting of the user, from the top level of the configuration file; undefined if it is not set or empty. Throws a
 * `Failure` if the file is not valid, or if the setting is not a string.
 */
export function readSetting({ env, platform }: Pick<System, "env" | "platform">, name: string): string | undefined {
  const path = join(configFolder(env), files.config);
  const { stored } = readFile(path, platform);
  const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw invalidFile(path, `'${name}' is not a string`);
  return value;
}
