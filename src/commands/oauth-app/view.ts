import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { type OauthApp, oauthApp, oauthAppGet } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";

/** `tongs oauth-app view`: GET /user/applications/oauth2/{id}. */
export const view = defineCommand({
  summary: "View an OAuth2 application",
  details: "The client secret is shown only when the application is created or edited.",
  on: "server",
  effect: "read",
  args: { id: one("application ID") },
  output: oauthApp,
  examples: [["View an application", "tongs oauth-app view 10"]],
  web: { page: ({ args }) => pagePath("user/settings/applications/oauth2", args.id) },
  async run({ args, http, out }) {
    await out.record(await call(http, oauthAppGet, { id: wholeNumber(args.id, "ID", 1) }), sheet);
  },
});

function sheet(app: OauthApp): Sheet {
  return {
    title: app.name,
    fields: [
      ["id", app.id],
      ["client id", app.client_id],
      ["type", app.confidential_client ? "confidential" : "public"],
      ["redirect uris", (app.redirect_uris ?? []).join(", ")],
      ["created", when(app.created)],
    ],
  };
}
