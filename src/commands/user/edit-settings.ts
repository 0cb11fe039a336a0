import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { bodyOf, changedNames } from "../../app/fields.ts";
import { choice, text, yesNo } from "../../command/flags.ts";
import { userSettings, userSettingsEdit } from "../../forge/account.ts";
import { call } from "../../forge/operation.ts";

const fields = {
  fullName: text("full name", { placeholder: "NAME" }),
  website: text("URL of your website; empty removes it", { placeholder: "URL" }),
  description: text("description of yourself"),
  location: text("your location"),
  language: text("language of the web pages, such as de-DE", { placeholder: "LANGUAGE" }),
  theme: text("theme of the web pages", { placeholder: "THEME" }),
  diffViewStyle: choice(["unified", "split"], "how the web pages show diffs"),
  hideEmail: yesNo("hide your email address"),
  hideActivity: yesNo("hide your activity from other users"),
  pronouns: text("pronouns"),
  enableRepoUnitHints: yesNo("show hints to enable more features of a repository"),
};

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
