import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { bodyOf, changedNames, flagsOf } from "../../app/fields.ts";
import { ownSettings, userSettings, userSettingsEdit } from "../../forge/account.ts";
import { call } from "../../forge/operation.ts";

const fields = flagsOf(ownSettings);

/** `tongs user settings edit`: PATCH /user/settings. */
export const edit = defineCommand({
  summary: "Edit your settings",
  details: "Changes only the settings given by flags. Some servers do not have all of them.",
  on: "server",
  fieldsOf: userSettingsEdit,
  effect: "write",
  flags: fields,
  output: userSettings,
  examples: [
    ["Hide your email address", "tongs user settings edit --hide-email"],
    ["Change your name and website", 'tongs user settings edit --full-name "Mara Lind" --website https://example.org'],
  ],
  async run(context) {
    const body = bodyOf(fields, context.flags);
    const names = changedNames(body);
    const record = await call(context.http, userSettingsEdit, {}, body);
    await doneEdit(context, { said: "Updated your settings", names, what: "your settings", record });
  },
});
