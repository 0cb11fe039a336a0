import type { Command } from "../../app/define.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { resource } from "../../app/resource.ts";
import { ofSettings } from "../../app/settings/level.ts";
import { levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import { type Secret, secret, secretDelete, secretList } from "../../forge/secrets.ts";
import { column } from "../../output/table.ts";

const secrets = resource({
  ...ofSettings("secret"),
  record: secret,
  target: () => (name) => ({ name }),
});

/** The verbs of `tongs secret`. */
export const verbs: Table<Command> = {
  list: secrets.list({
    details: "Servers never return the values. Not all servers list the secrets of a user.",
    columns: [
      column<Secret>("NAME", "name"),
      column<Secret>("DESCRIPTION", "description", { flexible: true }),
      column<Secret>("CREATED", "created_at", { as: "time" }),
    ],
    fetch: ({ http, place }) => call(http, secretList, { level: place }),
    page: async ({ flags, locate }) => settingsPage(await levelOf(flags, { locate }), "actions/secrets"),
    pageUses: ["org", "user", "admin"],
    examples: [["The secrets of the current repository", "tongs secret list"]],
  }),
  set: () => import("./set.ts").then((file) => file.set),
  delete: secrets.delete({
    sends: secretDelete,
    before: ({ http, place }) => requirePresentOwner(place, http),
    work: ({ name }, { http, place }) => call(http, secretDelete, { level: place, secretname: name }),
    examples: [["Delete a secret of an organization", "tongs secret delete DEPLOY_KEY --org tidewater --yes"]],
  }),
};
