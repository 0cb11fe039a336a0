import { createHash } from "node:crypto";
import { userKeyAdd, userKeyDelete } from "../../forge/admin-users.ts";
import type { CreateKeyOption } from "../../forge/generated/operations.ts";
import { keyAdd, keyDelete, keyGet, ownKeyList, userKeyList } from "../../forge/keys.ts";
import { collection } from "../http/collection.ts";
import type { Sent } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, route, type View } from "../http/route.ts";
import { recordOf } from "../release.ts";
import { userJson } from "../serializers/accounts.ts";
import type { KeyRecord, UserRecord } from "../state/records/accounts.ts";

const ofUser = { siteAdmin: true, user: true } as const;
const mine = { signedIn: true } as const;

/** Public keys of users. */
export const keys: Area = {
  routes: [
    route(userKeyList, { user: true, signedIn: true }, (call) => listReply(call, keysOf(call, call.subject), keyJson)),
    collection(
      "keys",
      { read: mine, write: mine },
      {
        get: keyGet,
        list: [ownKeyList, (call) => keysOf(call, call.currentUser)],
        find: (call) => found(call.table("keys").get(call.number("id"))),
        create: [keyAdd, (call, body) => add(call, call.currentUser, body)],
        remove: [keyDelete, ({ currentUser }, key) => requireOwner(currentUser, key)],
        serialize: keyJson,
      },
    ),
    route(userKeyAdd, ofUser, (call) => json(201, keyJson(call, add(call, call.subject, call.body)))),
    route(userKeyDelete, ofUser, ({ site, subject, number }) => {
      const key = found(site.table("keys").get(number("id")));
      // The path of an administrator can delete any key.
      if (!subject.is_admin) requireOwner(subject, key);
      site.table("keys").delete(key.id);
      return empty(204);
    }),
  ],
};

function keysOf({ site, query }: Call, owner: UserRecord): KeyRecord[] {
  const print = query.get("fingerprint") || undefined;
  const fits = ({ userId, fingerprint }: KeyRecord) => userId === owner.id && (print ?? fingerprint) === fingerprint;
  return site.table("keys").filter(fits);
}

function requireOwner({ id }: UserRecord, { userId }: KeyRecord): void {
  if (userId !== id) refuse(403, "You do not have access to this key");
}

function add({ site }: View, owner: UserRecord, { title, key }: Sent<CreateKeyOption>): KeyRecord {
  const table = site.table("keys");
  const fingerprint = fingerprintOf(key);
  if (table.find((one) => one.fingerprint === fingerprint)) refuse(422, "Key content has been used as non-deploy key");
  if (table.find((one) => one.userId === owner.id && one.title === title)) refuse(422, "Key title has been used");
  return table.add({ userId: owner.id, title, key: key.trim(), fingerprint, created: site.now() });
}

function keyJson(view: View, key: KeyRecord): Record<string, unknown> {
  const { site, currentUser } = view;
  const owner = site.table("users").get(key.userId);
  const isClose = currentUser?.is_admin === true || currentUser?.id === key.userId;
  return recordOf(site, "PublicKey", key, {
    url: `${site.root}/api/v1/user/keys/${key.id}`,
    created_at: key.created,
    last_used_at: key.created,
    updated_at: key.created,
    user: isClose && owner ? userJson(view, owner) : undefined,
    key_type: isClose && owner ? "user" : undefined,
  });
}

const shortestRsa = 3071;

/**
 * The fingerprint of a key in authorized_keys format (RFC 4253, section 6.6). Throws 422 if the key is invalid or too
 * short.
 */
function fingerprintOf(line: string): string {
  const [first = "", second] = line.trim().split(/\s+/);
  const text = second ?? first;
  const invalidAt = text.search(/[^A-Za-z0-9+/=]/);
  if (invalidAt >= 0 || text.length % 4 !== 0) {
    const at = invalidAt >= 0 ? invalidAt : Math.floor(text.length / 4) * 4;
    const why = `invalid key format: illegal base64 data at input byte ${at}`;
    refuse(422, `Invalid key content: extractTypeFromBase64Key: ${why}`);
  }
  const blob = Buffer.from(text, "base64");
  const length = blob.length < 4 ? 0 : blob.readUInt32BE(0);
  if (blob.length < 4 + length) {
    refuse(422, `Invalid key content: extractTypeFromBase64Key: invalid key format: not enough length ${length}`);
  }
  const [kind, rest, modulus] = fields(blob);
  const isComplete = rest !== undefined && rest.length > 0;
  if (!isComplete || !/^(sk-)?(ssh-(rsa|ed25519)|ecdsa-sha2-nistp\d+)(@openssh\.com)?$/.test(`${kind}`)) {
    refuse(422, "Invalid key content");
  }
  if (`${kind}` === "ssh-rsa" && modulus !== undefined) {
    const bits = BigInt(`0x0${modulus.toString("hex")}`).toString(2).length;
    if (bits < shortestRsa) {
      refuse(422, `Invalid key content: key length is not enough: got ${bits}, needs ${shortestRsa}`);
    }
  }
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

function fields(blob: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 4 <= blob.length; ) {
    const length = blob.readUInt32BE(at);
    found.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}
