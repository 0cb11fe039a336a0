import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { type GpgKey, gpgKey, ownGpgKeyList, userGpgKeyList } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<GpgKey>("ID", (key) => key.id),
  column<GpgKey>("KEY ID", (key) => styled("strong", key.key_id)),
  column<GpgKey>("EMAILS", (key) => (key.emails ?? []).map(({ email }) => email).join(", "), true),
  column<GpgKey>("STATE", (key) => (key.verified ? styled("good", "verified") : styled("warn", "not verified"))),
  column<GpgKey>("CREATED", (key) => when(key.created_at)),
  column<GpgKey>("EXPIRES", (key) => when(key.expires_at, "never")),
];

/** `tongs gpg-key list`: GET /user/gpg_keys, or GET /users/{username}/gpg_keys. */
export const list = defineCommand({
  summary: "List GPG keys",
  on: "server",
  effect: "read",
  flags: { user: text("list the keys of this user (default: you)", { placeholder: "USER" }) },
  output: listOf(gpgKey),
  examples: [["List your GPG keys", "tongs gpg-key list"]],
  web: {
    page: ({ flags }) => (flags.user === undefined ? pagePath("user/settings/keys") : pagePath(`${flags.user}.gpg`)),
    uses: ["user"],
  },
  async run({ flags, http, out }) {
    await out.list(
      flags.user === undefined ? call(http, ownGpgKeyList, {}) : call(http, userGpgKeyList, { username: flags.user }),
      columns,
    );
  },
});
