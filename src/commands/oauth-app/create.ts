import { defineCommand } from "../../app/define.ts";
import { requireSecret } from "../../app/require-secret.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { oauthApp, oauthAppCreate } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { checkRedirectUris, settingFlags, showSecret } from "./shared.ts";

/** `tongs oauth-app create`: POST /user/applications/oauth2. */
export const create = defineCommand({
  summary: "Create an OAuth2 application",
  details:
    "Prints the client ID and the client secret, each on its own line. The secret cannot be shown again: --json FIELDS must include " +
    "client_secret, and a filter of --jq can lose it. The application is " +
    "confidential unless --no-confidential-client is given.",
  on: "server",
  fieldsOf: oauthAppCreate,
  effect: "write",
  asTool: "none",
  args: { name: one("name of the application") },
  flags: settingFlags,
  output: oauthApp,
  examples: [
    ["Create an application", "tongs oauth-app create board --redirect-uri https://board.example.org/callback"],
    [
      "Create an application for a program on users' computers",
      "tongs oauth-app create viewer --redirect-uri http://127.0.0.1/ --no-confidential-client",
    ],
  ],
  async run(context) {
    const { args, flags, http, out, server } = context;
    if (flags.redirectUri.length === 0) throw new UsageError("--redirect-uri is required");
    checkRedirectUris(flags.redirectUri);
    requireSecret("client_secret", context);
    const app = await call(
      http,
      oauthAppCreate,
      {},
      {
        name: args.name,
        redirect_uris: flags.redirectUri,
        confidential_client: flags.confidentialClient ?? true,
        skip_secondary_authorization: flags.skipSecondaryAuthorization,
      },
    );
    await showSecret(app, context);
    await out.done(`Created application ${app.id} (${app.name}) ${accountLabel(server)}`, {
      what: `application ${app.id}`,
    });
  },
});
