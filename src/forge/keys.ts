import { text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { boolean, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { asKey, under } from "./applied.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { undoCreate, undoDelete } from "./undo.ts";
import { publicKey } from "./users.ts";

const keyEmail = serverRecord("an e-mail address", { email: string, verified: boolean });

/** A GPG key of a user. `key_id` is its long key ID: 16 hexadecimal digits. */
export const gpgKey = serverRecord(
  "a GPG key",
  {
    id: integer,
    key_id: string,
    emails: optional(nullable(list(keyEmail))),
    verified: optional(boolean),
    created_at: optional(time),
    expires_at: optional(time),
  },
  {
    primary_key_id: string,
    public_key: string,
    subkeys: optional(nullable(list(serverRecord("a GPG key", {}, { id: integer, key_id: string })))),
    can_sign: boolean,
    can_encrypt_comms: boolean,
    can_encrypt_storage: boolean,
    can_certify: boolean,
  },
);

export type GpgKey = Infer<typeof gpgKey>;

export const ownKeyList = operation("GET", "/user/keys", { answers: pagesOf(publicKey) });

export const userKeyList = operation("GET", "/users/{username}/keys", { answers: pagesOf(publicKey) });

/** Servers return the keys of other users, too. */
export const keyGet = operation("GET", "/user/keys/{id}", { answers: publicKey });

export const keyAdd = operation("POST", "/user/keys", {
  answers: publicKey,
  undo: undoCreate(),
  applied: { reads: { key: asKey(under("key")) } },
});

export const keyDelete = operation("DELETE", "/user/keys/{id}", { undo: undoDelete() });

export const ownGpgKeyList = operation("GET", "/user/gpg_keys", { answers: pagesOf(gpgKey) });

export const userGpgKeyList = operation("GET", "/users/{username}/gpg_keys", { answers: pagesOf(gpgKey) });

/** `armored_signature`, of the challenge, is needed if no address of the key belongs to the user. */
export const gpgKeyAdd = operation("POST", "/user/gpg_keys", {
  answers: gpgKey,
  undo: undoCreate(),
  applied: { except: { armored_public_key: "the record has its parts", armored_signature: "a proof" } },
});

/** Succeeds without effect if the key does not exist (docs/server-differences.md, "Keys and applications"). */
export const gpgKeyDelete = operation("DELETE", "/user/gpg_keys/{id}");

export const gpgKeyTokenGet = operation("GET", "/user/gpg_key_token", { answers: text });

export const gpgKeyVerify = operation("POST", "/user/gpg_key_verify", {
  answers: gpgKey,
  undo: "delete the key instead",
  applied: { except: { armored_signature: "a proof" } },
});

/** The text that a signature proves the ownership of a key with. The server changes it every minute. */
export async function gpgChallenge(http: Http): Promise<string> {
  return (await call(http, gpgKeyTokenGet, {})).toString("utf8").trim();
}
