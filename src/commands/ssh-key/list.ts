import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { ownKeyList, userKeyList } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { publicKey } from "../../forge/users.ts";
import { list as recordsOf } from "../../shape/shape.ts";
import { keyColumns } from "../user/key/list.ts";

/** `tongs ssh-key list`: GET /user/keys, or GET /users/{username}/keys. */
export const list = defineCommand({
  summary: "List SSH keys",
  on: "server",
  effect: "read",
  flags: {
    user: text("list the keys of this user (default: you)", { placeholder: "USER" }),
    fingerprint: text("only the key with this fingerprint", { placeholder: "SHA256:…" }),
  },
  output: recordsOf(publicKey),
  examples: [
    ["List your SSH keys", "tongs ssh-key list"],
    ["Print the keys of a user in the format of authorized_keys", "tongs ssh-key list --user mara --jq '.[].key'"],
  ],
  web: {
    page: ({ flags }) => (flags.user === undefined ? pagePath("user/settings/keys") : pagePath(`${flags.user}.keys`)),
    uses: ["user"],
  },
  async run({ flags, http, out }) {
    const { user, fingerprint } = flags;
    await out.list(
      user === undefined
        ? call(http, ownKeyList, { fingerprint })
        : call(http, userKeyList, { username: user, fingerprint }),
      keyColumns,
    );
  },
});
