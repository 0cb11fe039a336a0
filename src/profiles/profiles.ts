import { homedir } from "node:os";
import { join } from "node:path";
import type { System } from "../system/system.ts";
import { type CredentialStore, openCredentials, type Say } from "./credentials.ts";
import { asConfig, files, readConfig, updateFile } from "./files.ts";
import type { Config, Profile } from "./profile.ts";
import { accessToken } from "./session.ts";
import { tokenFromCommand } from "./token-command.ts";

/** What the profiles need of the system. */
export type ProfilesSystem = Pick<System, "env" | "platform"> & Partial<Pick<System, "signal" | "keyring">>;

/** The stored profiles and their tokens. */
export interface Profiles {
  readonly folder: string;
  readonly credentials: CredentialStore;
  readonly system: ProfilesSystem;
  /** The token of a profile, if it has one: what its `token_command` prints, run at most once, or what is stored. */
  token(name: string, profile: Profile): Promise<string | undefined>;
  /** Reads the current configuration. */
  read(): Config;
  /** Changes the configuration; `edit` gets the current one. Nothing is written if it throws. */
  update(edit: (config: Config) => Config): Promise<void>;
}

/**
 * Opens the profiles in the configuration folder. Does not read any file yet. `say` gets a warning if other users can read
 * the tokens, and a note if a token is stored in the file because the keyring cannot be used.
 */
export function openProfiles(system: ProfilesSystem, say: Say = { warn() {}, note() {} }): Profiles {
  const { env, platform } = system;
  const folder = configFolder(env);
  const settings = { folder, platform };
  const credentials = openCredentials(settings, system, say);
  const printed = new Map<string, Promise<string>>();
  return {
    ...{ folder, system, credentials },
    async token(name, { token_command: command }) {
      if (command === undefined) {
        const credential = await credentials.get(name);
        return credential === undefined ? undefined : accessToken(credential);
      }
      const known = printed.get(name) ?? tokenFromCommand(command, { profile: name, env, signal: system.signal });
      printed.set(name, known);
      return known;
    },
    read: () => readConfig(folder, platform),
    update: (edit) =>
      updateFile(settings, files.config, (stored) => {
        const { default: _default, profiles: _profiles, ...rest } = stored;
        return { ...rest, ...edit(asConfig(stored, join(folder, files.config))) };
      }),
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration folder: `TONGS_CONFIG_DIR`, or `tongs` in XDG_CONFIG_HOME or ~/.config. */
export function configFolder(env: Env): string {
  const own = env["TONGS_CONFIG_DIR"];
  if (own !== undefined && own !== "") return own;
  const xdg = env["XDG_CONFIG_HOME"];
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "tongs");
}
