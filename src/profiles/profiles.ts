import { homedir } from "node:os";
import { join } from "node:path";
import type { System } from "../system/system.ts";
import { asConfig, asTokens, files, readConfig, readFile, type Settings, updateFile } from "./files.ts";
import type { Config, Profile } from "./profile.ts";
import { tokenFromCommand } from "./token-command.ts";

/** What the profiles need of the system. */
export type ProfilesSystem = Pick<System, "env" | "platform"> & Partial<Pick<System, "signal">>;

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
 * Opens the profiles in the configuration folder. Does not read any file yet. `onWarning` is called once if other users can
 * read the tokens.
 */
export function openProfiles(system: ProfilesSystem, onWarning: (warning: string) => void = () => undefined): Profiles {
  const { env, platform } = system;
  const folder = configFolder(env);
  const settings = { folder, platform };
  const credentials = fileCredentials(settings, onWarning);
  const printed = new Map<string, Promise<string>>();
  return {
    ...{ folder, system, credentials },
    async token(name, { token_command: command }) {
      if (command === undefined) return credentials.get(name);
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

/** Stores tokens: currently in a file. */
export interface CredentialStore {
  /** Where the tokens are stored, for messages. */
  readonly location: string;
  get(profile: string): string | undefined;
  set(profile: string, token: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  delete(profile: string): Promise<void>;
}

/** Stores tokens in a file that only its owner can read. */
export function fileCredentials(settings: Settings, onWarning: (warning: string) => void): CredentialStore {
  const location = join(settings.folder, files.credentials);
  let warned = false;
  function warnIfReadable(command: string | undefined): void {
    if (command === undefined || warned) return;
    warned = true;
    onWarning(`Other users can read ${location}. Run: ${command}`);
  }
  const change = (edit: (tokens: Map<string, string>) => void) =>
    updateFile(settings, files.credentials, (stored) => {
      const all = new Map(Object.entries(asTokens(stored, location)));
      edit(all);
      return { ...stored, tokens: Object.fromEntries(all) };
    });
  return {
    location,
    get(profile) {
      const { stored, privacyHint } = readFile(location, settings.platform);
      warnIfReadable(privacyHint);
      const all = asTokens(stored, location);
      return Object.hasOwn(all, profile) ? all[profile] : undefined;
    },
    set: (profile, token) => change((all) => all.set(profile, token)),
    rename: (from, to) =>
      change((all) => {
        const token = all.get(from);
        all.delete(from);
        // A leftover token of the new name may be for another server.
        all.delete(to);
        if (token !== undefined) all.set(to, token);
      }),
    delete: (profile) => change((all) => all.delete(profile)),
  };
}
