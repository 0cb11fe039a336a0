import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { type GpgKey, gpgKey, ownGpgKeyList, userGpgKeyList } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
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
];

/** `tongs gpg-key list`: GET /user/gpg_keys, or GET /users/{username}/gpg_keys. */
export const list = defineCommand({
  summary: "List GPG keys",
  on: "server",
  effect: "read",
  lists: ["GPG key", "GPG keys"],
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
