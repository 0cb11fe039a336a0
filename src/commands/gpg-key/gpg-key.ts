import type { Command } from "../../app/define.ts";
import { inAccount, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { type GpgKey, gpgKey, gpgKeyDelete, ownGpgKeyList, userGpgKeyList } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { ownKeys } from "./shared.ts";

const keys = resource({
  ...inAccount,
  noun: ["GPG key", "GPG keys"],
  a: "a GPG key",
  record: gpgKey,
  argument: { key: "key", one: "ID, key ID or fingerprint", many: "IDs, key IDs or fingerprints" },
  select: ({ http }) => ownKeys(http),
  name: ({ key_id }: GpgKey) => `GPG key ${key_id}`,
});

/** The verbs of `tongs gpg-key`. */
export const verbs: Table<Command> = {
  list: keys.list({
    flags: { user: text("list the keys of this user (default: you)", { placeholder: "USER" }) },
    columns: [
      column<GpgKey>("ID", "id"),
      column<GpgKey>("KEY ID", "key_id", { style: "strong" }),
      column<GpgKey>("EMAILS", "emails", {
        cell: (key) => (key.emails ?? []).map(({ email }) => email).join(", "),
        flexible: true,
      }),
      column<GpgKey>("STATE", "verified", (key) =>
        key.verified ? styled("good", "verified") : styled("warn", "not verified"),
      ),
      column<GpgKey>("CREATED", "created_at", { as: "time" }),
      column<GpgKey>("EXPIRES", "expires_at", { as: "time or never" }),
    ],
    fetch: ({ flags: { user }, http }) =>
      user === undefined ? call(http, ownGpgKeyList, {}) : call(http, userGpgKeyList, { username: user }),
    page: ({ flags }) => (flags.user === undefined ? pagePath("user/settings/keys") : pagePath(`${flags.user}.gpg`)),
    pageUses: ["user"],
    examples: [["List your GPG keys", "tongs gpg-key list"]],
  }),
  add: () => import("./add.ts").then((file) => file.add()),
  verify: () => import("./verify.ts").then((file) => file.verify),
  delete: keys.delete({
    sends: gpgKeyDelete,
    summary: "Delete GPG keys from your account",
    work: ({ id }, { http }) => call(http, gpgKeyDelete, { id }),
    examples: [["Delete a key", "tongs gpg-key delete 6E60D493D5589E96 --yes"]],
  }),
};
