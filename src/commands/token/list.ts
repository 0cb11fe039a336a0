import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { behaviors } from "../../forge/generated/since.ts";
import { call } from "../../forge/operation.ts";
import { isKnownToHave } from "../../forge/server-has.ts";
import { firstReleases } from "../../forge/support.ts";
import { type AccessToken, accessToken, tokenList } from "../../forge/tokens.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { mayUseToken, passwordExclusive, passwordFlags, withTokens } from "./password-login.ts";

const columns = [
  column<AccessToken>("ID", "id"),
  column<AccessToken>("NAME", "name", { style: "strong", flexible: true }),
  column<AccessToken>("ENDS WITH", "token_last_eight"),
  column<AccessToken>("SCOPES", "scopes", { cell: (token) => (token.scopes ?? []).join(", "), flexible: true }),
  column<AccessToken>("REPOSITORIES", "repositories", { cell: repositoriesOf, flexible: true, rank: "optional" }),
  column<AccessToken>("CREATED", "created_at", { as: "time" }),
  column<AccessToken>("LAST USED", "last_used_at", { as: "time or never" }),
];

/** `tongs token list`: GET /users/{username}/tokens. */
export const list = defineCommand({
  summary: "List access tokens",
  details:
    `Requires your password. Where the server allows it (${firstReleases(behaviors.listsTokensByToken)}), a token is enough, ` +
    "with --user that of an administrator. The tokens themselves are never shown again.",
  external: { uses: "a password" },
  on: "server",
  effect: "read",
  lists: ["access token", "access tokens"],
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
    const isEnough = async () => isKnownToHave(http, behaviors.listsTokensByToken);
    if (flags.user === undefined && (await mayUseToken(flags, context)) && (await isEnough()))
      return out.list(call(http, tokenList, { username: await currentUser(context) }), columns);
    await withTokens(flags, context, (tokens) => out.list(tokens.list(), columns));
  },
});

/** The repositories that a token is limited to; nothing for all. */
function repositoriesOf({ repositories }: AccessToken): string {
  return (repositories ?? []).map(({ full_name }) => full_name).join(", ");
}
