import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diskFailure, hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { stateFolder } from "../../system/base-folders.ts";
import { createFolders } from "../../system/files.ts";
import { lock } from "../../system/lock.ts";
import { replaceFile } from "../../system/replace-file.ts";
import type { System } from "../../system/system.ts";
import type { SecretState } from "./compare.ts";

/** Where a secret is set: the server, the repository, and its place there. */
export type SecretPlace = readonly [server: string, repository: string, kind: string, name: string, field: string];

/**
 * Keyed hashes (HMAC-SHA256) of the secrets that were applied last, because servers do not return secrets. They and
 * their key are in the state folder, readable by its owner only.
 */
export interface Fingerprints {
  compare(place: SecretPlace, secret: string | undefined): SecretState;
  /** Remembers secrets; other processes can do so at the same time. */
  remember(applied: readonly (readonly [place: SecretPlace, secret: string])[]): Promise<void>;
}

interface Stored {
  readonly key: string;
  readonly hashes: Readonly<Record<string, string>>;
}

/** Opens the fingerprints in the state folder. */
export function openFingerprints(system: System): Fingerprints {
  const folder = stateFolder(system.env);
  const path = join(folder, "policy-secrets.json");
  const stored = read(path);
  return {
    compare(place, secret) {
      const known = stored.hashes[keyOf(place)];
      if (known === undefined || secret === undefined) return "unknown";
      return known === hash(stored.key, secret) ? "same" : "different";
    },
    async remember(applied) {
      if (applied.length === 0) return;
      const release = await locked(path, system);
      try {
        const now = read(path);
        const added = applied.map(([place, secret]) => [keyOf(place), hash(now.key, secret)]);
        createFolders(folder, 0o700);
        replaceFile(path, JSON.stringify({ ...now, hashes: { ...now.hashes, ...Object.fromEntries(added) } }));
      } catch (error) {
        throw diskFailure(error, path) ?? error;
      } finally {
        release();
      }
    },
  };
}

/** Servers take the names of repositories in any case. */
function keyOf([server, repository, ...rest]: SecretPlace): string {
  return JSON.stringify([server, repository.toLowerCase(), ...rest]);
}

function hash(key: string, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("hex");
}

/** The stored hashes, or a new key. */
function read(path: string): Stored {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) {
      return { key: randomBytes(32).toString("hex"), hashes: {} };
    }
    throw diskFailure(error, path) ?? error;
  }
  const value = parsed(text);
  if (value !== undefined) return value;
  const hint = "Delete it; secrets are then not checked until they are applied again.";
  throw new Failure("invalid_state", `${path} is not valid`, { hint });
}

function parsed(text: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null || !("key" in value) || !("hashes" in value)) return false;
  return typeof value.key === "string" && typeof value.hashes === "object" && value.hashes !== null;
}

/** Waits until no other process changes the file. Returns the function that lets others. */
async function locked(path: string, system: System): Promise<() => void> {
  for (let waited = 0; waited < 200; waited += 1) {
    const held = await lock(path);
    if (held !== undefined) return held.release;
    await system.sleep(50, system.signal);
  }
  throw new Failure("locked", `Another process is changing ${path}`);
}
