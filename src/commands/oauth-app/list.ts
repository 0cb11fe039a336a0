import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { type OauthApp, oauthApp, oauthAppList } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<OauthApp>("ID", "id"),
  column<OauthApp>("NAME", "name", { style: "strong", flexible: true }),
  column<OauthApp>("CLIENT ID", "client_id"),
  column<OauthApp>("TYPE", "confidential_client", (app) => (app.confidential_client ? "confidential" : "public")),
  column<OauthApp>("REDIRECT URIS", "redirect_uris", {
    cell: (app) => (app.redirect_uris ?? []).join(", "),
    flexible: true,
  }),
  column<OauthApp>("CREATED", "created", { as: "time" }),
];

/** `tongs oauth-app list`: GET /user/applications/oauth2. */
export const list = defineCommand({
  summary: "List your OAuth2 applications",
  on: "server",
  effect: "read",
  lists: ["OAuth2 application", "OAuth2 applications"],
  output: listOf(oauthApp),
  examples: [["List your applications", "tongs oauth-app list"]],
  web: { page: () => pagePath("user/settings/applications") },
  async run({ http, out }) {
    await out.list(call(http, oauthAppList, {}), columns);
  },
});
