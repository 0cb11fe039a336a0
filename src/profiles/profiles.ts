import { join } from "node:path";
import type { CredentialStore } from "./credentials.ts";
import { fileCredentials } from "./credentials.ts";
import { configFolder } from "./folder.ts";
import type { Config, Profile } from "./profile.ts";
import { asConfig, files, readConfig } from "./read.ts";
import { updateFile } from "./write.ts";

/** The stored profiles and their tokens. */
export interface Profiles {
  readonly folder: string;
  readonly credentials: CredentialStore;
  /** What is stored now. */
  read(): Config;
  /** Stores a change made from what is stored at that moment; nothing when `edit` throws. */
  update(edit: (config: Config) => Config): Promise<void>;
}

/** Opens the profiles in the configuration folder. Nothing is read before it is asked for. */
export function openProfiles(env: Readonly<Record<string, string | undefined>>): Profiles {
  const folder = configFolder(env);
  return {
    folder,
    credentials: fileCredentials(folder),
    read: () => readConfig(folder),
    update: (edit) =>
      updateFile(folder, files.config, (stored) => {
        const { default: _default, profiles: _profiles, ...rest } = stored;
        return { ...rest, ...edit(asConfig(stored, join(folder, files.config))) };
      }),
  };
}

/** The profile of that name. */
export function profileNamed(config: Config, name: string): Profile | undefined {
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}
