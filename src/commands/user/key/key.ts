import { keyColumns } from "../../../app/columns.ts";
import type { Command } from "../../../app/define.ts";
import { readPublicKey } from "../../../app/public-key.ts";
import { resource } from "../../../app/resource.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { inputFile, text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { UsageError } from "../../../failure/failure.ts";
import { userKeyAdd, userKeyDelete } from "../../../forge/admin-users.ts";
import { userKeyList } from "../../../forge/keys.ts";
import { call } from "../../../forge/operation.ts";
import { type PublicKey, publicKey } from "../../../forge/users.ts";

const keys = resource({
  on: "server",
  noun: ["key", "keys"],
  a: "a public key",
  record: publicKey,
  args: { name: one("username", { source: "account" }) },
  argument: { key: "id", one: "key ID", many: "key IDs", isId: true },
  place: ({ args }) => args.name,
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id, title }: Pick<PublicKey, "id"> & { readonly title?: string | undefined }) => `key ${title ?? id}`,
  where: String,
});

/** The verbs of `tongs user key`. */
export const verbs: Table<Command> = {
  list: keys.list({
    summary: "List a user's public keys",
    lists: ["public key", "public keys"],
    columns: keyColumns,
    fetch: ({ http, place }) => call(http, userKeyList, { username: place }),
    page: ({ args }) => pagePath(`${args.name}.keys`),
    examples: [["List the keys of a user", "tongs user key list mara"]],
  }),
  add: keys.create({
    verb: ["add", "added"],
    summary: "Add a public key to a user",
    flags: {
      title: text("title of the key (default: its comment)", { placeholder: "TITLE" }),
      keyFile: inputFile("read the public key from a file"),
    },
    async body({ flags: { keyFile: file, title }, system }) {
      if (file === undefined) throw new UsageError("--key-file is required", "Pass a public key file, or - for stdin.");
      return readPublicKey({ flag: "--key-file", file, title }, system);
    },
    send: (body, { http, place }) => call(http, userKeyAdd, { username: place }, body),
    prints: ({ id }) => id,
    examples: [["Add a key", "tongs user key add mara --title laptop --key-file mara.pub"]],
  }),
  delete: keys.delete({
    sends: userKeyDelete,
    summary: "Delete a user's public keys",
    work: ({ id }, { http, place }) => call(http, userKeyDelete, { username: place, id }),
    examples: [["Delete two keys", "tongs user key delete mara 3 4 --yes"]],
  }),
};
