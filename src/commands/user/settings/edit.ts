import { defineCommand } from "../../../app/define.ts";
import { bodyOf, changedFields } from "../../../app/fields.ts";
import { choice, text, yesNo } from "../../../command/flags.ts";
import { userSettings, userSettingsEdit } from "../../../forge/account.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";

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
  enableRepoUnitHints: yesNo("show hints to enable more units of a repository"),
};

/** `tongs user settings edit`: PATCH /user/settings. */
export const edit = defineCommand({
  summary: "Edit your settings",
  details: "Changes only the settings given by flags. Some servers do not have all of them.",
  on: "server",
  effect: "write",
  flags: fields,
  output: userSettings,
  examples: [
    ["Hide your email address", "tongs user settings edit --hide-email"],
    ["Change your name and website", 'tongs user settings edit --full-name "Mara Lind" --website https://example.org'],
  ],
  async run({ flags, http, out, server }) {
    const body = bodyOf(fields, flags);
    const names = changedFields(body);
    const settings = await call(http, userSettingsEdit, {}, body);
    // Servers ignore fields that they do not have.
    const kept = new Map(Object.entries(settings));
    const ignored = Object.keys(body).filter((name) => !kept.has(name));
    if (ignored.length > 0) out.warn(`The server does not have these settings: ${ignored.join(", ")}`);
    await out.done(`Updated your settings (${names}) ${accountLabel(server)}`, { record: settings });
  },
});
