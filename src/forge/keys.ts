import { json, nothing, text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { publicKey } from "./users.ts";

/** The body of `POST /user/keys`. */
export interface CreateKeyOption {
  readonly title: string;
  readonly key: string;
  readonly read_only?: boolean | undefined;
}

/** The SSH keys of the signed-in user. */
export function sshKeysApi(http: Http) {
  return {
    list: (fingerprint?: string) =>
      http.list(path`/user/keys`, { items: publicKey, query: { fingerprint }, unique: "id" }),

    listOf: (user: string, fingerprint?: string) =>
      http.list(path`/users/${user}/keys`, { items: publicKey, query: { fingerprint }, unique: "id" }),

    /** Servers return the keys of other users, too. */
    get: (id: number) => http.get(path`/user/keys/${id}`, { answers: json(publicKey) }),

    add: (body: CreateKeyOption) => http.post(path`/user/keys`, { body, answers: json(publicKey) }),

    delete: (id: number) => http.delete(path`/user/keys/${id}`, { answers: nothing }),
  };
}

const keyEmail = serverRecord("an e-mail address", { email: string, verified: boolean }, ["email", "verified"]);

/** A GPG key of a user. `key_id` is its long key ID: 16 hexadecimal digits. */
export const gpgKey = serverRecord(
  "a GPG key",
  {
    id: integer,
    primary_key_id: string,
    key_id: string,
    public_key: string,
    emails: optional(nullable(list(keyEmail))),
    subkeys: optional(nullable(list(serverRecord("a GPG key", { id: integer, key_id: string }, [])))),
    can_sign: boolean,
    can_encrypt_comms: boolean,
    can_encrypt_storage: boolean,
    can_certify: boolean,
    verified: optional(boolean),
    created_at: optional(time),
    expires_at: optional(time),
  },
  ["id", "key_id", "emails", "verified", "created_at", "expires_at"],
);

export type GpgKey = Infer<typeof gpgKey>;

/** The body of `POST /user/gpg_keys`. */
export interface CreateGpgKeyOption {
  readonly armored_public_key: string;
  /** Needed if no address of the key belongs to the user: a signature of the challenge. */
  readonly armored_signature?: string | undefined;
}

/** The GPG keys of the signed-in user. */
export function gpgKeysApi(http: Http) {
  return {
    list: () => http.list(path`/user/gpg_keys`, { items: gpgKey, unique: "id" }),

    listOf: (user: string) => http.list(path`/users/${user}/gpg_keys`, { items: gpgKey, unique: "id" }),

    add: (body: CreateGpgKeyOption) => http.post(path`/user/gpg_keys`, { body, answers: json(gpgKey) }),

    /** Succeeds without effect if the key does not exist (docs/server-differences.md, "Keys and applications"). */
    delete: (id: number) => http.delete(path`/user/gpg_keys/${id}`, { answers: nothing }),

    /** The text that a signature proves the ownership of a key with. The server changes it every minute. */
    challenge: async () => (await http.get(path`/user/gpg_key_token`, { answers: text })).toString("utf8").trim(),

    verify: (key_id: string, armored_signature: string) =>
      http.post(path`/user/gpg_key_verify`, { body: { key_id, armored_signature }, answers: json(gpgKey) }),
  };
}
