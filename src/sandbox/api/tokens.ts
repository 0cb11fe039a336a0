import { createHash } from "node:crypto";
import { userKeyAdd, userKeyDelete } from "../../forge/admin-users.ts";
import { keyAdd, keyDelete, keyGet, ownKeyList, userKeyList } from "../../forge/keys.ts";
import { tokenCreate, tokenDelete, tokenGet, tokenList, tokenRevoke } from "../../forge/tokens.ts";
import { collection } from "../http/collection.ts";
import { listReply } from "../http/paging.ts";
import { found, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, route, type View } from "../http/route.ts";
import { includesScope, isPublicOnly, normalizeScopes } from "../http/scopes.ts";
import { zeroTime } from "../http/time.ts";
import { recordOf } from "../release.ts";
import { userJson } from "../serializers/accounts.ts";
import { newToken } from "../state/accounts.ts";
import { by } from "../state/order.ts";
import type { KeyRecord, TokenRecord, UserRecord } from "../state/records/accounts.ts";

const read = { user: true, byPassword: true } as const;

const ofUser = { siteAdmin: true, user: true } as const;
const mine = { signedIn: true } as const;

/** Access tokens. These operations require basic authentication. */
export const tokens: Area = [
  collection({
    table: "tokens",
    needs: { read, write: read },
    list: [tokenList, (call) => tokensOf(call).sort(newestFirst)],
    headers: "total",
    find: findToken,
    create: [tokenCreate, create],
    remove: [tokenDelete],
    serialize,
  }),
  route(tokenGet, { signedIn: true }, (call) => {
    const { id, name, scopes, created } = presentedToken(call);
    const user = { id: call.currentUser.id, login: call.currentUser.name };
    return { id, name, scopes, created_at: created, last_used_at: created, user };
  }),
  route(tokenRevoke, { signedIn: true }, (call) => call.table("tokens").delete(presentedToken(call).id)),
  // Public keys of users.
  route(userKeyList, { user: true, signedIn: true }, (call) => listReply(call, keysOf(call, call.subject), keyJson)),
  collection({
    table: "keys",
    needs: { read: mine, write: mine },
    get: keyGet,
    list: [ownKeyList, (call) => keysOf(call, call.currentUser)],
    find: (call) => found(call.table("keys").get(call.number("id"))),
    create: [keyAdd, (call, body) => add(call, call.currentUser, body)],
    remove: [keyDelete, ({ currentUser }, key) => requireOwner(currentUser, key)],
    serialize: keyJson,
  }),
  route(userKeyAdd, ofUser, (call) => keyJson(call, add(call, call.subject, call.body))),
  route(userKeyDelete, ofUser, ({ site, subject, number }) => {
    const key = found(site.table("keys").get(number("id")));
    // The path of an administrator can delete any key.
    if (!subject.is_admin) requireOwner(subject, key);
    site.table("keys").delete(key.id);
  }),
];

const newestFirst = by<TokenRecord>(({ created }) => -Date.parse(created), "id");

function tokensOf({ site, subject }: Call<typeof read>): TokenRecord[] {
  return site.table("tokens").filter((token) => token.userId === subject.id);
}

/** A new token has its secret and no dates, an existing one has dates and no secret. */
function serialize({ method, site }: Call, token: TokenRecord): Record<string, unknown> {
  const isNew = method === "POST";
  const time = isNew ? zeroTime : token.created;
  const { secret } = token;
  const times = { created_at: time, last_used_at: time };
  return recordOf(site, "AccessToken", token, times, { sha1: isNew ? secret : "", token_last_eight: secret.slice(-8) });
}

function create(call: Call<typeof read>, body: BodyOf<typeof tokenCreate>): TokenRecord {
  const { site, subject, token: creator } = call;
  if (tokensOf(call).some(({ name }) => name === body.name)) refuse(400, "access token name has been used already");
  const wanted = normalizeScopes(body.scopes ?? []);
  if ("unknown" in wanted) {
    refuse(400, `invalid access token scope provided: invalid access token scope: ${wanted.unknown}`);
  }
  const { scopes } = wanted;
  if (scopes.length === 0) refuse(400, "access token must have a scope");
  if (creator && !scopes.every((scope) => scope === "public-only" || includesScope(creator.scopes, scope))) {
    refuse(403, "cannot create an access token with a broader scope than the authenticating token");
  }
  const limited = isPublicOnly(creator) && !scopes.includes("public-only") ? ["public-only", ...scopes] : scopes;
  return newToken(site, { userId: subject.id, name: body.name, scopes: limited });
}

/** Finds a token by name, or by id if the parameter is a number. */
function findToken(call: Call<typeof read>): TokenRecord {
  const [id, text] = [call.number("token"), call.param("token")];
  const token = tokensOf(call).find((one) => (id > 0 ? one.id === id : one.name === text));
  return found(token, id > 0 ? "access token not found" : undefined);
}

function presentedToken({ token, by }: Call): TokenRecord {
  return found(by === "token" ? token : undefined, "invalid access token");
}

function keysOf({ site, query }: Call, owner: UserRecord): KeyRecord[] {
  const print = query.get("fingerprint") || undefined;
  const fits = ({ userId, fingerprint }: KeyRecord) => userId === owner.id && (print ?? fingerprint) === fingerprint;
  return site.table("keys").filter(fits);
}

function requireOwner({ id }: UserRecord, { userId }: KeyRecord): void {
  if (userId !== id) refuse(403, "You do not have access to this key");
}

function add({ site }: View, owner: UserRecord, { title, key }: BodyOf<typeof keyAdd>): KeyRecord {
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

/**
 * The fingerprint of a key in authorized_keys format (RFC 4253, section 6.6). Throws 422 if the key is invalid or too
 * short.
 */
function fingerprintOf(line: string): string {
  const invalid = (why: string) => refuse(422, `Invalid key content${why}`);
  const [first = "", text = first] = line.trim().split(/\s+/);
  const at = text.search(/[^A-Za-z0-9+/=]/);
  const format = ": extractTypeFromBase64Key: invalid key format:";
  if (at >= 0 || text.length % 4 !== 0)
    invalid(`${format} illegal base64 data at input byte ${at >= 0 ? at : Math.floor(text.length / 4) * 4}`);
  const blob = Buffer.from(text, "base64");
  const length = blob.length < 4 ? 0 : blob.readUInt32BE(0);
  if (blob.length < 4 + length) invalid(`${format} not enough length ${length}`);
  const kind = blob.subarray(4, 4 + length).toString();
  const known = /^(sk-)?(ssh-(rsa|ed25519)|ecdsa-sha2-nistp\d+)(@openssh\.com)?$/.test(kind);
  if (!known || blob.length <= 8 + length) invalid("");
  // An RSA key has an exponent and a modulus of at least 3071 bits, after a zero byte.
  const bits = (blob.length - length - 4 - 4 - blob.readUInt32BE(4 + length) - 4 - 1) * 8;
  if (kind === "ssh-rsa" && bits < 3071) invalid(`: key length is not enough: got ${bits}, needs 3071`);
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
