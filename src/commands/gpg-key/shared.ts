import { type InputSystem, readFileFlag } from "../../app/input.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type GpgKey, ownGpgKeyList } from "../../forge/keys.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { Http } from "../../http/client.ts";

/**
 * Finds own keys by ID, key ID or fingerprint. Servers delete an unknown key without an error and answer the
 * verification of one with 500, so tongs looks first (docs/server-differences.md, "Keys and applications"). Returns a
 * function that throws a failure for a key that is not found.
 */
export async function ownKeys(http: Http): Promise<(typed: string) => GpgKey> {
  const keys = await collect(call(http, ownGpgKeyList, {}));
  return (typed) => {
    const text = typed.replace(/^0x|\s/gi, "").toUpperCase();
    const isLong = /^[0-9A-F]{16,40}$/.test(text);
    const found = keys.find((key) =>
      isLong ? text.endsWith(key.key_id.toUpperCase().padStart(16, "0")) : String(key.id) === text,
    );
    if (found !== undefined) return found;
    throw new Failure("not_found", `GPG key ${typed} not found in your account`, {
      hint: "To see your keys, run: tongs gpg-key list",
    });
  };
}

/** Reads an armored key or signature. Throws a usage error for anything else, and for a private key. */
export async function readArmored(
  flag: string,
  file: string,
  kind: "PUBLIC KEY BLOCK" | "SIGNATURE",
  system: InputSystem,
): Promise<string> {
  const text = await readFileFlag(flag, file, system);
  if (/BEGIN PGP PRIVATE KEY/.test(text)) {
    throw new UsageError("This is a private key; it was not sent", "Export the public key: gpg --armor --export KEY");
  }
  if (!text.includes(`-----BEGIN PGP ${kind}-----`)) {
    const what = kind === "SIGNATURE" ? "signature" : "public key";
    const command = kind === "SIGNATURE" ? "gpg --armor --detach-sign" : "gpg --armor --export KEY";
    throw new UsageError(`${file === "-" ? "stdin" : file} has no armored ${what}`, `Create one with: ${command}`);
  }
  return text;
}
