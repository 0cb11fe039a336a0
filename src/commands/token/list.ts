import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { call } from "../../forge/operation.ts";
import { type AccessToken, accessToken, basicAuth, tokenList } from "../../forge/tokens.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { passwordExclusive, passwordFlags, withPassword } from "./shared.ts";

const columns = [
  column<AccessToken>("ID", (token) => token.id),
  column<AccessToken>("NAME", (token) => styled("strong", token.name), true),
  column<AccessToken>("ENDS WITH", (token) => token.token_last_eight),
  column<AccessToken>("SCOPES", (token) => (token.scopes ?? []).join(", "), true),
  column<AccessToken>("CREATED", (token) => when(token.created_at)),
  column<AccessToken>("LAST USED", (token) => when(token.last_used_at, "never")),
];

/** `tongs token list`: GET /users/{username}/tokens. */
export const list = defineCommand({
  summary: "List access tokens",
  details: "Requires your password: servers do not accept a token. The tokens themselves are never shown again.",
  on: "server",
  effect: "read",
  flags: passwordFlags,
  exclusive: passwordExclusive,
  output: listOf(accessToken),
  examples: [
    ["List your tokens", "tongs token list"],
    ["List your tokens in a script", "tongs token list --password-file password.txt --json name,scopes"],
  ],
  web: { page: () => pagePath("user/settings/applications") },
  async run(context) {
    const { flags, http, out } = context;
    await withPassword(flags, context, (login, user) =>
      out.list(call(http, tokenList, { username: user }, undefined, { headers: basicAuth(login) }), columns),
    );
  },
});
