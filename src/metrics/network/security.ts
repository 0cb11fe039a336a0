import { createDecipheriv, createHash, createHmac, getCiphers, timingSafeEqual } from "node:crypto";
import { Failure } from "../../failure/failure.ts";
import { WireFault } from "../wire/fields.ts";
import { decodeText, displayText } from "../wire/text.ts";
import type { Part } from "./parts.ts";

/** Passwords by user; undefined without an authentication file. */
export type PacketKeys = ReadonlyMap<string, string> | undefined;

/** Parses an AuthFile of collectd: lines such as `user: password`. Throws a `Failure` that names an invalid line. */
export function parseAuthFile(text: string, name: string): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, user, password] = /^\s*([^:\s][^:]*?)\s*:\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (user === undefined || password === undefined) {
      throw new Failure("invalid_auth_file", `${name}:${index + 1}: expected USER: PASSWORD`);
    }
    users.set(user, password);
  }
  return users;
}

const macSize = 32;

/**
 * Checks the HMAC-SHA-256 of a packet, which covers the username and all that follows. Returns false if there are no
 * keys: like collectd, accept the packet unverified. Throws a `WireFault` if the signature is wrong.
 */
export function verify(packet: Uint8Array, { at, start, end }: Part, keys: PacketKeys): boolean {
  if (end - start <= macSize) throw new WireFault(at, "the signature has no username");
  if (keys === undefined) return false;
  const password = passwordOf(packet.subarray(start + macSize, end), keys, at);
  const expected = createHmac("sha256", password)
    .update(packet.subarray(start + macSize))
    .digest();
  if (!timingSafeEqual(expected, packet.subarray(start, start + macSize)))
    throw new WireFault(at, "the signature is wrong: the password differs, or the packet was changed");
  return true;
}

const cipher = "aes-256-ofb";
const ivSize = 16;
const checksumSize = 20;

/**
 * The decrypted parts of an encrypted part: the length of the username, the name, the initialization vector, and in
 * AES-256-OFB the SHA-1 checksum of the parts and the parts. Throws a `WireFault` if it cannot be decrypted, and a
 * `Failure` if this build of Node has no such cipher.
 */
export function decrypt(packet: Uint8Array, { at, start, end }: Part, keys: PacketKeys): Uint8Array {
  if (keys === undefined) throw new WireFault(at, "the packet is encrypted, and there is no authentication file");
  const size = end - start < 2 ? 0 : ((packet[start] ?? 0) << 8) + (packet[start + 1] ?? 0);
  const iv = start + 2 + size;
  if (size === 0 || iv + ivSize + checksumSize > end) throw new WireFault(at, "the encrypted part is too short");
  const password = passwordOf(packet.subarray(start + 2, iv), keys, at);
  if (!getCiphers().includes(cipher)) {
    throw new Failure("no_cipher", `Cannot decrypt packets: this build has no ${cipher.toUpperCase()}`, {
      hint: "Install tongs with npm, and run it with Node.",
    });
  }
  const key = createHash("sha256").update(password).digest();
  const decipher = createDecipheriv(cipher, key, packet.subarray(iv, iv + ivSize));
  const plain = Buffer.concat([decipher.update(packet.subarray(iv + ivSize, end)), decipher.final()]);
  const parts = plain.subarray(checksumSize);
  if (!createHash("sha1").update(parts).digest().equals(plain.subarray(0, checksumSize)))
    throw new WireFault(at, "the packet cannot be decrypted: the password differs, or the packet was changed");
  return parts;
}

function passwordOf(user: Uint8Array, keys: ReadonlyMap<string, string>, at: number): string {
  const name = decodeText(user);
  const password = keys.get(name);
  if (password === undefined) throw new WireFault(at, `the authentication file has no user '${displayText(name)}'`);
  return password;
}
