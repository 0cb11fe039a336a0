import { join } from "node:path";
import { Failure, UsageError } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";
import type { Keyring } from "../system/keyring.ts";
import type { System } from "../system/system.ts";
import { asTokens, files, invalidFile, readFile, type Settings, updateFile } from "./files.ts";
import { asSession, asSessions, type Credential, type Session } from "./session.ts";

/** Stores the token of each profile: in the keyring of the desktop, or in a file that only its owner can read. */
export interface CredentialStore {
  /** Whether a profile has a credential. Does not open the keyring. */
  has(profile: string): boolean;
  /** Where the credential of a profile is, for messages. */
  location(profile: string): string;
  /** The credential of a profile. Throws a `Failure` if it is in the keyring and the keyring cannot be read. */
  get(profile: string): Promise<Credential | undefined>;
  /** Stores a credential where TONGS_CREDENTIAL_STORE says, and removes an older one from elsewhere. */
  set(profile: string, credential: Credential): Promise<void>;
  /** Replaces the session of a profile in its place, if `isCurrent` accepts what is stored; returns whether it did. */
  replace(profile: string, session: Session, isCurrent: (stored: Credential | undefined) => boolean): Promise<boolean>;
  /** Moves the credential of a profile to another name. Throws a `Failure` if it could not, and it stays where it was. */
  rename(from: string, to: string): Promise<void>;
  delete(profile: string): Promise<void>;
}

/** What the store needs of the system. */
export type CredentialSystem = Pick<System, "env" | "platform"> & Pick<Partial<System>, "keyring" | "signal">;

/** Where messages go. */
export interface Say {
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
}

/** The content of the file: the credentials in it, and the profiles whose credential is in the keyring. */
interface Content {
  readonly tokens: Map<string, string>;
  readonly sessions: Map<string, Session>;
  readonly keyring: Set<string>;
}

/** Opens the credentials in the configuration folder. Does not read the file yet, and no keyring. */
export function openCredentials(settings: Settings, system: CredentialSystem, say: Say): CredentialStore {
  const path = join(settings.folder, files.credentials);
  // Several configuration folders can have profiles of the same name.
  const account = (profile: string) => `${profile} in ${settings.folder}`;
  let warned = false;

  function read(): Content {
    const { stored, privacyHint } = readFile(path, settings);
    if (privacyHint !== undefined && !warned) {
      warned = true;
      say.warn(`Other users can read ${path}. Run: ${privacyHint}`);
    }
    return asContent(stored, path);
  }

  const change = (edit: (content: Content) => void) =>
    updateFile(settings, files.credentials, (stored) => {
      const content = asContent(stored, path);
      edit(content);
      const { sessions: _sessions, keyring: _keyring, ...rest } = stored;
      return {
        ...rest,
        tokens: Object.fromEntries(content.tokens),
        ...(content.sessions.size === 0 ? {} : { sessions: Object.fromEntries(content.sessions) }),
        ...(content.keyring.size === 0 ? {} : { keyring: [...content.keyring] }),
      };
    });

  /**
   * Does something with the keyring for a profile. Throws a `Failure` if that is not possible, and the reason of the signal
   * when it aborts.
   */
  async function withKeyring<T>(profile: string, work: (keyring: Keyring, account: string) => Promise<T>): Promise<T> {
    const waiting = setTimeout(() => say.note("Waiting for the keyring, which may ask for its password"), patience);
    try {
      return await work(await keyringOf(system), account(profile));
    } catch (error) {
      system.signal?.throwIfAborted();
      throw keyringFailure(`the token of profile '${profile}'`, error);
    } finally {
      clearTimeout(waiting);
    }
  }

  async function fromKeyring(profile: string): Promise<Credential> {
    if (storeMode(system.env) === "file") {
      throw new Failure("keyring", `The token of profile '${profile}' is in the keyring, which is not used`, {
        hint: `TONGS_CREDENTIAL_STORE is file. Unset it, or sign in again: tongs auth login --profile ${profile}`,
      });
    }
    const text = await withKeyring(profile, (keyring, name) => keyring.get(name));
    if (text === undefined) {
      throw new Failure("keyring", `The keyring no longer has the token of profile '${profile}'`, {
        hint: `Sign in again: tongs auth login --profile ${profile}`,
      });
    }
    return text.startsWith("{") ? asSession(text, `the keyring entry of profile '${profile}'`) : text;
  }

  /** Tries to store a credential in the keyring. Returns why it was not, for `auto`; undefined if it was. */
  async function toKeyring(profile: string, credential: Credential): Promise<"off" | { reason: string } | undefined> {
    const mode = storeMode(system.env);
    if (mode === "file" || (mode === "auto" && system.keyring === undefined)) return "off";
    try {
      await withKeyring(profile, (keyring, name) => keyring.set(name, textOf(credential)));
      return undefined;
    } catch (error) {
      if (mode === "keyring" || !(error instanceof Failure) || error instanceof Interruption) throw error;
      return { reason: reasonOf(error.cause) };
    }
  }

  /** Deletes what a profile has in the keyring and no longer uses; warns if that is not possible. */
  async function deleteFormer(profile: string): Promise<void> {
    await withKeyring(profile, (keyring, name) => keyring.delete(name)).catch(() => {
      say.warn(`The keyring still has the former token of profile '${profile}'`);
    });
  }

  async function get(profile: string): Promise<Credential | undefined> {
    const { tokens, sessions, keyring } = read();
    const inFile = tokens.get(profile) ?? sessions.get(profile);
    return inFile === undefined && keyring.has(profile) ? fromKeyring(profile) : inFile;
  }

  const store: CredentialStore = {
    has(profile) {
      const { tokens, sessions, keyring } = read();
      return tokens.has(profile) || sessions.has(profile) || keyring.has(profile);
    },
    location: (profile) => (read().keyring.has(profile) ? "the keyring" : path),
    get,
    async set(profile, credential) {
      const before = read().keyring.has(profile);
      const missing = await toKeyring(profile, credential);
      await change((content) => {
        remove(content, profile);
        if (missing === undefined) content.keyring.add(profile);
        else put(content, profile, credential);
      });
      if (missing === undefined) return;
      if (missing !== "off")
        say.note(`The token is stored in ${path}, because the keyring cannot be used: ${missing.reason}`);
      if (before) await deleteFormer(profile);
    },
    async replace(profile, session, isCurrent) {
      if (read().keyring.has(profile)) {
        if (!isCurrent(await get(profile))) return false;
        await withKeyring(profile, (keyring, name) => keyring.set(name, textOf(session)));
        return true;
      }
      let replaced = false;
      await change((content) => {
        replaced = isCurrent(content.tokens.get(profile) ?? content.sessions.get(profile));
        if (replaced) put(content, profile, session);
      });
      return replaced;
    },
    async rename(from, to) {
      const inKeyring = read().keyring.has(from);
      const moved = inKeyring ? await withKeyring(from, (keyring, name) => keyring.get(name)) : undefined;
      if (moved !== undefined) await withKeyring(to, (keyring, name) => keyring.set(name, moved));
      await change((content) => {
        const credential = content.tokens.get(from) ?? content.sessions.get(from);
        remove(content, from);
        // A leftover token of the new name may be for another server.
        remove(content, to);
        if (inKeyring) content.keyring.add(to);
        else if (credential !== undefined) put(content, to, credential);
      });
      if (inKeyring) await deleteFormer(from);
    },
    async delete(profile) {
      if (read().keyring.has(profile)) await withKeyring(profile, (keyring, name) => keyring.delete(name));
      await change((content) => remove(content, profile));
    },
  };
  return store;
}

function asContent(stored: Readonly<Record<string, unknown>>, path: string): Content {
  const { keyring = [] } = stored;
  if (!Array.isArray(keyring) || keyring.some((name) => typeof name !== "string")) {
    throw invalidFile(path, "'keyring' is not a list of strings");
  }
  return {
    tokens: new Map(Object.entries(asTokens(stored, path))),
    sessions: new Map(Object.entries(asSessions(stored, path))),
    keyring: new Set(keyring as string[]),
  };
}

function put({ tokens, sessions }: Content, profile: string, credential: Credential): void {
  if (typeof credential === "string") tokens.set(profile, credential);
  else sessions.set(profile, credential);
}

function remove({ tokens, sessions, keyring }: Content, profile: string): void {
  for (const part of [tokens, sessions, keyring]) part.delete(profile);
}

const textOf = (credential: Credential) => (typeof credential === "string" ? credential : JSON.stringify(credential));

/** After how long the wait for the keyring is mentioned, in milliseconds. */
const patience = 3000;

const never = new AbortController().signal;

const modes = ["auto", "keyring", "file"] as const;

function storeMode(env: System["env"]): (typeof modes)[number] {
  const wanted = env["TONGS_CREDENTIAL_STORE"] || "auto";
  const mode = modes.find((name) => name === wanted);
  if (mode === undefined) throw new UsageError(`TONGS_CREDENTIAL_STORE must be auto, keyring or file, not '${wanted}'`);
  return mode;
}

/** Opens the keyring. On Linux only if there is a session bus: the library would look for one, or start it. */
async function keyringOf({ env, platform, keyring, signal = never }: CredentialSystem): Promise<Keyring> {
  const hasBus = platform === "win32" || platform === "darwin" || env["DBUS_SESSION_BUS_ADDRESS"];
  if (!hasBus) throw new Error("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)");
  if (keyring === undefined) throw new Error("no keyring is available here");
  try {
    return await keyring({ env, signal });
  } catch (error) {
    throw new Error("its library is not installed (the package @napi-rs/keyring)", { cause: error });
  }
}

function keyringFailure(what: string, error: unknown): Failure {
  const hint = "Unlock the keyring, or store tokens in a file: set TONGS_CREDENTIAL_STORE=file and sign in again.";
  return new Failure("keyring", `Could not access ${what} in the keyring: ${reasonOf(error)}`, {
    hint,
    cause: error,
  });
}

/** The reason of the library, without the names of its layers. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text
    .replace(/^(Platform failure|Couldn't access platform storage): /, "")
    .replace(/^Secret Service: /, "");
  return reason === "no result found" ? "no collection is unlocked" : reason;
}
