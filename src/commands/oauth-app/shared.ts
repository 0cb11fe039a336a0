import type { BaseContext, ServerContext } from "../../app/context.ts";
import { printSecret } from "../../app/require-secret.ts";
import { texts, yesNo } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { OauthApp } from "../../forge/oauth-apps.ts";
import { commandOn } from "../../profiles/server.ts";

/** The flags of `create` and `edit`. */
export const settingFlags = {
  redirectUri: texts("URI that users are sent back to", { placeholder: "URI" }),
  confidentialClient: yesNo("the application can keep its secret, as programs on a server can"),
  skipSecondaryAuthorization: yesNo("do not ask users who have already authorized the application again"),
};

/** Throws a usage error for a redirect URI without a scheme; not all servers check them. */
export function checkRedirectUris(uris: readonly string[]): void {
  const wrong = uris.find((uri) => !URL.canParse(uri));
  if (wrong !== undefined) throw new UsageError(`Redirect URI must be a URI with a scheme, not '${wrong}'`);
}

/** Prints the client ID and the client secret, which cannot be shown again, each on its own line; in JSON, the record. */
export async function showSecret(app: OauthApp, context: BaseContext & ServerContext): Promise<void> {
  const secret = app.client_secret ?? "";
  if (secret === "") throw new Failure("no_secret", "The server did not return the client secret");
  const line = commandOn(context.server, `tongs oauth-app edit ${app.id} --redirect-uri …`);
  const hint = `To replace it with a new one, run: ${line}`;
  await printSecret(app, { what: "client secret", text: `${app.client_id}\n${secret}`, hint }, context);
}
