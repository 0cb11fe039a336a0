import { createHash } from "node:crypto";
import { boolean, form, required, string } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, post, type View } from "../http/route.ts";
import type { KeyRecord, UserRecord } from "../state/records/accounts.ts";
import { userWire } from "../wire/accounts.ts";

const createOption = form("CreateKeyOption", {
  title: required(string("Title")),
  key: required(string("Key")),
  read_only: boolean("ReadOnly"),
});
const adding = { siteAdmin: true, user: true, body: createOption } as const;
const addingOwn = { signedIn: true, body: createOption } as const;
const removing = { siteAdmin: true, user: true } as const;

/** Public keys of users. */
export const keys: Area = {
  routes: [
    get("/users/{username}/keys", { user: true, signedIn: true }, (call) => {
      const { site, subject, query } = call;
      const print = query.get("fingerprint") ?? "";
      const mine = (key: KeyRecord) => key.userId === subject.id && (print === "" || key.fingerprint === print);
      return listReply(call, site.store.table("keys").filter(mine), (key) => keyWire(call, key));
    }),
    get("/user/keys", { signedIn: true }, (call) => {
      const { site, currentUser, query } = call;
      const print = query.get("fingerprint") ?? "";
      const own = (key: KeyRecord) => key.userId === currentUser.id && (print === "" || key.fingerprint === print);
      return listReply(call, site.store.table("keys").filter(own), (key) => keyWire(call, key));
    }),
    post("/user/keys", addingOwn, (call) => add(call, call.currentUser, call.body)),
    get("/user/keys/{id}", { signedIn: true }, (call) =>
      json(200, keyWire(call, found(call.site.store.table("keys").get(call.number("id"))))),
    ),
    del("/user/keys/{id}", { signedIn: true }, ({ site, currentUser, number }) => {
      const key = found(site.store.table("keys").get(number("id")));
      if (key.userId !== currentUser.id) refuse(403, "You do not have access to this key");
      site.store.table("keys").delete(key.id);
      return empty(204);
    }),
    post("/admin/users/{username}/keys", adding, (call) => add(call, call.subject, call.body)),
    del("/admin/users/{username}/keys/{id}", removing, ({ site, subject, number }) => {
      const key = found(site.store.table("keys").get(number("id")));
      // The path of an administrator can delete any key.
      if (key.userId !== subject.id && !subject.is_admin) refuse(403, "You do not have access to this key");
      site.store.table("keys").delete(key.id);
      return empty(204);
    }),
  ],
};

function add(view: View, owner: UserRecord, body: Call<typeof adding>["body"]) {
  const { store } = view.site;
  const fingerprint = fingerprintOf(body.key);
  if (store.table("keys").find((key) => key.fingerprint === fingerprint)) {
    refuse(422, "Key content has been used as non-deploy key");
  }
  if (store.table("keys").find((key) => key.userId === owner.id && key.title === body.title)) {
    refuse(422, "Key title has been used");
  }
  const id = store.nextId("keys");
  const { title } = body;
  const key = { id, userId: owner.id, title, key: body.key.trim(), fingerprint, created: view.site.now() };
  return json(201, keyWire(view, store.table("keys").put(key)));
}

function keyWire(view: View, key: KeyRecord): Record<string, unknown> {
  const { site, currentUser } = view;
  const owner = site.store.table("users").get(key.userId);
  const isClose = currentUser?.is_admin === true || currentUser?.id === key.userId;
  return {
    id: key.id,
    key: key.key,
    url: `${site.root}/api/v1/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: key.created,
    last_used_at: key.created,
    ...(isClose && owner ? { user: userWire(view, owner), key_type: "user" } : {}),
  };
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
    refuse(422, "Invalid key content: SSHNativeParsePublicKey: ParsePublicKey: ssh: no key found");
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
