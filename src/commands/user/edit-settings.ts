import { defineCommand } from "../../app/define.ts";
import { bodyOf, changedFields } from "../../app/fields.ts";
import { choice, text, yesNo } from "../../command/flags.ts";
import { appliedNames, requireApplied } from "../../failure/ignored.ts";
import { userSettings, userSettingsEdit } from "../../forge/account.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";

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
  async run({ flags, http, out, server }) {
    const body = bodyOf(fields, flags);
    changedFields(body);
    const settings = await call(http, userSettingsEdit, {}, body);
    const names = appliedNames(Object.keys(body));
    const message = `Updated your settings (${names.join(", ")}) ${accountLabel(server)}`;
    await out.done(names.length > 0 ? message : undefined, { record: settings });
    requireApplied("your settings");
  },
});
