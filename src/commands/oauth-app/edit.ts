import { defineCommand } from "../../app/define.ts";
import { changedList, nothingToChange } from "../../app/fields.ts";
import { requireSecret } from "../../app/require-secret.ts";
import { one } from "../../command/args.ts";
import { text, texts, wholeNumber } from "../../command/flags.ts";
import { type OauthApp, oauthApp, oauthAppEdit, oauthAppGet } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { checkRedirectUris, settingFlags, showSecret } from "./shared.ts";

/** `tongs oauth-app edit`: PATCH /user/applications/oauth2/{id}, after reading it: absent fields would be cleared. */
export const edit = defineCommand({
  summary: "Edit an OAuth2 application",
  details:
    "Every edit that changes something replaces the client secret; the old one stops working. Prints the client ID and the new secret, on a " +
    "line each; --json FIELDS must include client_secret, and a filter of --jq can lose it. --redirect-uri replaces all redirect URIs.",
  on: "server",
  fieldsOf: oauthAppEdit,
  effect: "destroy",
  asTool: "none",
  args: { id: one("application ID") },
  flags: {
    name: text("name of the application", { placeholder: "NAME" }),
    ...settingFlags,
    addRedirectUri: texts("add a redirect URI", { placeholder: "URI" }),
    removeRedirectUri: texts("remove a redirect URI", { placeholder: "URI", opposite: "addRedirectUri" }),
  },
  exclusive: [
    ["redirectUri", "addRedirectUri"],
    ["redirectUri", "removeRedirectUri"],
  ],
  output: oauthApp,
  examples: [
    ["Add a redirect URI", "tongs oauth-app edit 10 --add-redirect-uri https://board.example.org/other --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, server } = context;
    const id = wholeNumber(args.id, "ID", 1);
    checkRedirectUris([...flags.redirectUri, ...flags.addRedirectUri]);
    const lists = [flags.redirectUri, flags.addRedirectUri, flags.removeRedirectUri];
    const values = [flags.name, flags.confidentialClient, flags.skipSecondaryAuthorization];
    if (lists.every((list) => list.length === 0) && values.every((value) => value === undefined)) {
      throw nothingToChange();
    }
    requireSecret("client_secret", context);
    const before = await call(http, oauthAppGet, { id });
    const uris = before.redirect_uris ?? [];
    const changed = changedList(uris, { add: flags.addRedirectUri, remove: flags.removeRedirectUri }) ?? uris;
    const body = {
      name: flags.name ?? before.name,
      redirect_uris: flags.redirectUri.length > 0 ? flags.redirectUri : changed,
      confidential_client: flags.confidentialClient ?? before.confidential_client,
      skip_secondary_authorization:
        (flags.skipSecondaryAuthorization ?? before.skip_secondary_authorization) || undefined,
    };
    if (isSo(before, body)) {
      const message = `Application ${id} (${before.name}) already had this: nothing was sent, and its client secret is kept`;
      return out.done(message, { unchanged: true, record: before });
    }
    const what = `Replace the client secret of application ${id} (${before.name})`;
    await context.prompt.confirmAction({ what, sends: oauthAppEdit });
    const app = await call(http, oauthAppEdit, { id }, body);
    await showSecret(app, context);
    await out.done(`Updated application ${app.id} (${app.name}) ${accountLabel(server)}`, {
      what: `application ${app.id}`,
    });
    out.note("The client secret was replaced; the old one no longer works");
    return undefined;
  },
});

/** Whether an edit would change nothing; the order of redirect URIs says nothing. */
function isSo(before: OauthApp, { redirect_uris: uris = [], ...settings }: Partial<OauthApp>): boolean {
  const old = before.redirect_uris ?? [];
  return (
    new Set([...old, ...(uris ?? [])]).size === new Set(old).size &&
    new Set(uris).size === new Set(old).size &&
    settings.name === before.name &&
    (settings.confidential_client ?? false) === (before.confidential_client ?? false) &&
    (settings.skip_secondary_authorization ?? false) === (before.skip_secondary_authorization ?? false)
  );
}
