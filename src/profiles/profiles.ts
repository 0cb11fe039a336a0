import { homedir } from "node:os";
import { join } from "node:path";
import { asConfig, asTokens, files, readConfig, readFile, updateFile } from "./files.ts";
import type { Config } from "./profile.ts";

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

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration folder: `TONGS_CONFIG_DIR`, or `tongs` in the XDG folder. */
export function configFolder(env: Env): string {
  const own = env["TONGS_CONFIG_DIR"];
  if (own !== undefined && own !== "") return own;
  const xdg = env["XDG_CONFIG_HOME"];
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "tongs");
}

/** Where tokens live. Today a file; the operating system's keyring fits behind the same four operations. */
export interface CredentialStore {
  /** Where the tokens are, in words. */
  readonly place: string;
  get(profile: string): string | undefined;
  set(profile: string, token: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  delete(profile: string): Promise<void>;
}

/** Tokens in a file of their own, readable by its owner only. */
export function fileCredentials(folder: string): CredentialStore {
  const place = join(folder, files.credentials);
  const change = (edit: (tokens: Map<string, string>) => void) =>
    updateFile(folder, files.credentials, (stored) => {
      const all = new Map(Object.entries(asTokens(stored, place)));
      edit(all);
      return { ...stored, tokens: Object.fromEntries(all) };
    });
  return {
    place,
    get(profile) {
      const all = asTokens(readFile(place), place);
      return Object.hasOwn(all, profile) ? all[profile] : undefined;
    },
    set: (profile, token) => change((all) => all.set(profile, token)),
    rename: (from, to) =>
      change((all) => {
        const token = all.get(from);
        all.delete(from);
        // What is left under the new name was for another profile, and so perhaps for another server.
        all.delete(to);
        if (token !== undefined) all.set(to, token);
      }),
    delete: (profile) => change((all) => all.delete(profile)),
  };
}
