import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { type OauthApp, oauthApp, oauthAppList } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<OauthApp>("ID", (app) => app.id),
  column<OauthApp>("NAME", (app) => styled("strong", app.name), true),
  column<OauthApp>("CLIENT ID", (app) => app.client_id),
  column<OauthApp>("TYPE", (app) => (app.confidential_client ? "confidential" : "public")),
  column<OauthApp>("REDIRECT URIS", (app) => (app.redirect_uris ?? []).join(", "), true),
  column<OauthApp>("CREATED", (app) => when(app.created)),
];

/** `tongs oauth-app list`: GET /user/applications/oauth2. */
export const list = defineCommand({
  summary: "List your OAuth2 applications",
  on: "server",
  effect: "read",
  output: listOf(oauthApp),
  examples: [["List your applications", "tongs oauth-app list"]],
  web: { page: () => pagePath("user/settings/applications") },
  async run({ http, out }) {
    await out.list(call(http, oauthAppList, {}), columns);
  },
});
