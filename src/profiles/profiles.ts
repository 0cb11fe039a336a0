import { join } from "node:path";
import type { DebugLog } from "../http/debug.ts";
import type { System } from "../system/system.ts";
import { connectionOf } from "./connection.ts";
import { type CredentialStore, openCredentials, type Say } from "./credentials.ts";
import { asConfig, files, readConfig, settingsFor, updateFile } from "./files.ts";
import type { Config, Profile } from "./profile.ts";
import { addressText, serverAddress } from "./server.ts";
import { accessToken, type Credential, isStale } from "./session.ts";
import { transportFor } from "./transport.ts";

/** What the profiles need of the system. */
export type ProfilesSystem = Pick<System, "env" | "platform"> & Partial<Pick<System, "signal" | "keyring" | "now">>;

/** Where messages go, and how the requests that renew a session are sent. */
export interface ProfilesOptions extends Say {
  readonly debug?: DebugLog | undefined;
  /** How long to wait for a response, in milliseconds; 0 is no limit. */
  readonly timeout?: number;
}

/** The stored profiles and their tokens. */
export interface Profiles {
  readonly folder: string;
  readonly credentials: CredentialStore;
  readonly system: ProfilesSystem;
  /**
   * The token of a profile, if it has one: what its `token_command` prints, run at most once, or what is stored. An access
   * token of a web sign-in is renewed before it expires.
   */
  token(name: string, profile: Profile): Promise<string | undefined>;
  /** Renews the session of a web sign-in, whether it is about to expire or not. */
  renew(name: string, profile: Profile): Promise<string | undefined>;
  /** Reads the current configuration. */
  read(): Config;
  /** Changes the configuration; `edit` gets the current one. Nothing is written if it throws. */
  update(edit: (config: Config) => Config): Promise<void>;
}

/**
 * Opens the profiles in the configuration folder. Does not read any file yet. `say` gets a warning if other users can read
 * the tokens, and a note if a token is stored in the file because the keyring cannot be used.
 */
export function openProfiles(
  system: ProfilesSystem,
  { debug, timeout = 30_000, ...say }: ProfilesOptions = { warn() {}, note() {} },
): Profiles {
  const { env } = system;
  const settings = settingsFor(system);
  const credentials = openCredentials(settings, system, say);
  const printed = new Map<string, Promise<string>>();
  const stored = new Map<string, Promise<Credential | undefined>>();
  const renewing = new Map<string, Promise<string | undefined>>();
  const now = () => system.now?.() ?? new Date();

  /** Renews a session; requests that are sent at once share the renewal. */
  function renew(name: string, profile: Profile, force: boolean): Promise<string | undefined> {
    stored.delete(name);
    const base = serverAddress(profile.host);
    const connection = connectionOf({ system }, name, profile);
    const needs = {
      profile: name,
      host: addressText(base),
      settings,
      credentials,
      now,
      signal: system.signal,
      provider: (clientId: string) => ({
        base,
        clientId,
        now,
        timeout,
        debug,
        signal: system.signal,
        transport: transportFor({ base, ...connection }, env),
        headers: connection.headers(),
      }),
    };
    const renewed = async () => (await import("./renewal.ts")).renewSession(needs, force);
    const known = renewing.get(name) ?? renewed().finally(() => renewing.delete(name));
    renewing.set(name, known);
    return known;
  }

  return {
    folder: settings.folder,
    system,
    credentials,
    renew: (name, profile) => renew(name, profile, true),
    async token(name, profile) {
      const { token_command: command } = profile;
      if (command === undefined) {
        const reading = stored.get(name) ?? credentials.get(name);
        stored.set(name, reading);
        const credential = await reading;
        if (typeof credential !== "object" || !isStale(credential, now())) return credential && accessToken(credential);
        return renew(name, profile, false);
      }
      const print = async () =>
        (await import("./token-command.ts")).tokenFromCommand(command, { profile: name, env, signal: system.signal });
      const known = printed.get(name) ?? print();
      printed.set(name, known);
      return known;
    },
    read: () => readConfig(settings),
    update: (edit) =>
      updateFile({ ...settings, signal: system.signal }, files.config, (stored) => {
        const { default: _default, profiles: _profiles, ...rest } = stored;
        return { ...rest, ...edit(asConfig(stored, join(settings.folder, files.config))) };
      }),
  };
}
