import { keyColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { readPublicKey } from "../../app/public-key.ts";
import { inAccount, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { keyAdd, keyDelete, keyGet, ownKeyList, userKeyList } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { type PublicKey, publicKey } from "../../forge/users.ts";

const keys = resource({
  ...inAccount,
  noun: ["SSH key", "SSH keys"],
  a: "an SSH key",
  record: publicKey,
  argument: { key: "id", one: "key ID", many: "key IDs", isId: true },
  get: (id, { http }) => call(http, keyGet, { id: Number(id) }),
  name: ({ id, title }: PublicKey) => `SSH key ${id}${title === undefined ? "" : ` (${title})`}`,
});

/** The verbs of `tongs ssh-key`. */
export const verbs: Table<Command> = {
  list: keys.list({
    flags: {
      user: text("list the keys of this user (default: you)", { placeholder: "USER" }),
      fingerprint: text("only the key with this fingerprint", { placeholder: "SHA256:…", filters: true }),
    },
    columns: keyColumns,
    fetch: ({ flags: { user: username, fingerprint }, http }) =>
      username === undefined
        ? call(http, ownKeyList, { fingerprint })
        : call(http, userKeyList, { username, fingerprint }),
    page: ({ flags }) => (flags.user === undefined ? pagePath("user/settings/keys") : pagePath(`${flags.user}.keys`)),
    pageUses: ["user"],
    examples: [
      ["List your SSH keys", "tongs ssh-key list"],
      ["Print the keys of a user in the format of authorized_keys", "tongs ssh-key list --user mara --jq '.[].key'"],
    ],
  }),
  add: keys.create({
    verb: ["add", "added"],
    summary: "Add an SSH key to your account",
    args: { file: one("file with the public key", { dash: "stdin", names: "input file" }) },
    flags: { title: text("title of the key (default: its comment)", { short: "t", placeholder: "TITLE" }) },
    body: ({ args, flags, system }) => readPublicKey({ flag: "FILE", file: args.file, title: flags.title }, system),
    send: (body, { http }) => call(http, keyAdd, {}, body),
    prints: ({ id }) => id,
    examples: [["Add a key", "tongs ssh-key add ~/.ssh/id_ed25519.pub --title laptop"]],
  }),
  delete: keys.delete({
    sends: keyDelete,
    summary: "Delete SSH keys from your account",
    work: ({ id }, { http }) => call(http, keyDelete, { id }),
    examples: [["Delete a key", "tongs ssh-key delete 7 --yes"]],
  }),
};
