import type { Command } from "../../app/define.ts";
import { inAccount, resource } from "../../app/resource.ts";
import { pagePath } from "../../app/web.ts";
import type { Table } from "../../command/table.ts";
import { type OauthApp, oauthApp, oauthAppDelete, oauthAppGet, oauthAppList } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

const apps = resource({
  ...inAccount,
  noun: ["OAuth2 application", "OAuth2 applications"],
  a: "an OAuth2 application",
  record: oauthApp,
  argument: { key: "id", one: "application ID", many: "application IDs", isId: true },
  get: (id, { http }) => call(http, oauthAppGet, { id: Number(id) }),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<OauthApp, "id">) => `application ${id}`,
  page: ({ id }) => pagePath("user/settings/applications/oauth2", id),
});

/** Whether an application can keep its secret. */
const typeOf = (app: OauthApp) => (app.confidential_client ? "confidential" : "public");
const urisOf = (app: OauthApp) => (app.redirect_uris ?? []).join(", ");

/** The verbs of `tongs oauth-app`. */
export const verbs: Table<Command> = {
  list: apps.list({
    summary: "List your OAuth2 applications",
    columns: [
      column<OauthApp>("ID", "id"),
      column<OauthApp>("NAME", "name", { style: "strong", flexible: true }),
      column<OauthApp>("CLIENT ID", "client_id"),
      column<OauthApp>("TYPE", "confidential_client", typeOf),
      column<OauthApp>("REDIRECT URIS", "redirect_uris", { cell: urisOf, flexible: true }),
      column<OauthApp>("CREATED", "created", { as: "time" }),
    ],
    fetch: ({ http }) => call(http, oauthAppList, {}),
    page: () => pagePath("user/settings/applications"),
    examples: [["List your applications", "tongs oauth-app list"]],
  }),
  view: apps.view({
    details: "The client secret is shown only when the application is created or edited.",
    sheet: (app) => ({
      title: app.name,
      fields: [
        ["id", app.id],
        ["client id", app.client_id],
        ["type", typeOf(app)],
        ["redirect uris", urisOf(app)],
        ["created", when(app.created)],
      ],
    }),
    examples: [["View an application", "tongs oauth-app view 10"]],
  }),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: apps.delete({
    sends: oauthAppDelete,
    details: "Tokens that the application has received stop working.",
    work: ({ id }, { http }) => call(http, oauthAppDelete, { id }),
    examples: [
      ["Delete an application", "tongs oauth-app delete 10 --yes"],
      ["Delete two applications", "tongs oauth-app delete 10 11 --yes"],
    ],
  }),
};
