import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { userKeyList } from "../../../forge/keys.ts";
import { call } from "../../../forge/operation.ts";
import { type PublicKey, publicKey } from "../../../forge/users.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";

/** The columns of a list of SSH keys. */
export const keyColumns = [
  column<PublicKey>("ID", "id"),
  column<PublicKey>("TITLE", "title", { flexible: true }),
  column<PublicKey>("FINGERPRINT", "fingerprint"),
  column<PublicKey>("CREATED", "created_at", { as: "time" }),
  column<PublicKey>("LAST USED", "last_used_at", {
    cell: (key) => (key.last_used_at === key.created_at ? "" : when(key.last_used_at)),
    rank: "optional",
  }),
];

/** `tongs user key list`: GET /users/{username}/keys. */
export const list = defineCommand({
  summary: "List a user's public keys",
  on: "server",
  effect: "read",
  lists: ["public key", "public keys"],
  args: { name: one("username", { source: "account" }) },
  output: listOf(publicKey),
  examples: [["List the keys of a user", "tongs user key list mara"]],
  web: { page: ({ args }) => pagePath(`${args.name}.keys`) },
  async run({ args, http, out }) {
    await out.list(call(http, userKeyList, { username: args.name }), keyColumns);
  },
});
