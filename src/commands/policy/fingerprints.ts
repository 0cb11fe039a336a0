import { createHash, createHmac, randomBytes } from "node:crypto";
import { readState, writeState } from "../../app/state-file.ts";
import { hasKey } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";
import type { SecretState } from "./compare.ts";

/** Where a secret is set on a server: the repository, and its place there. */
export type SecretPlace = readonly [repository: string, kind: string, name: string, field: string];

/**
 * Keyed hashes (HMAC-SHA256) of the secrets that were applied last to a server, because servers do not return secrets. They
 * and their key are in a file of the state folder, readable by its owner only.
 */
export interface Fingerprints {
  compare(place: SecretPlace, secret: string | undefined): SecretState;
  /** Remembers secrets; `policy apply` is the only process that does so for its server. */
  remember(applied: readonly (readonly [place: SecretPlace, secret: string])[]): void;
}

interface Stored {
  readonly key: string;
  /** By the hash of their place: the address of a webhook can have a password. */
  readonly secrets: Record<string, string>;
}

/** Opens the fingerprints of a server in the state folder. */
export function openFingerprints(system: System, server: string): Fingerprints {
  const name = `policy-secrets-${createHash("sha256").update(server).digest("hex").slice(0, 16)}.json`;
  const found = readState(system, name);
  const stored = isStored(found) ? found : { key: randomBytes(32).toString("hex"), secrets: {} };
  const hash = (text: string) => createHmac("sha256", stored.key).update(text).digest("hex");
  /** Servers take the names of repositories in any case. */
  const keyOf = ([repository, ...rest]: SecretPlace) => hash(JSON.stringify([repository.toLowerCase(), ...rest]));
  return {
    compare(place, secret) {
      const known = stored.secrets[keyOf(place)];
      if (known === undefined || secret === undefined) return "unknown";
      return known === hash(secret) ? "same" : "different";
    },
    remember(applied) {
      if (applied.length === 0) return;
      for (const [place, secret] of applied) stored.secrets[keyOf(place)] = hash(secret);
      writeState(system, name, stored);
    },
  };
}

function isStored(value: unknown): value is Stored {
  return hasKey(value, "key") && hasKey(value, "secrets");
}
