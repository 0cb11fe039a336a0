import { defineCommand } from "../../../app/define.ts";
import { pagePath } from "../../../app/web.ts";
import { userSettings, userSettingsGet } from "../../../forge/account.ts";
import { call } from "../../../forge/operation.ts";

/** `tongs user settings view`: GET /user/settings. */
export const view = defineCommand({
  summary: "View your settings",
  on: "server",
  effect: "read",
  output: userSettings,
  examples: [
    ["View your settings", "tongs user settings view"],
    ["Print the theme", "tongs user settings view --jq .theme"],
  ],
  web: { page: () => pagePath("user/settings") },
  async run({ http, out }) {
    await out.record(await call(http, userSettingsGet, {}), (settings) => ({
      fields: Object.keys(userSettings.fields).flatMap((name) => {
        const value = Object.entries(settings).find(([key]) => key === name)?.[1];
        return value === undefined ? [] : [[name.replaceAll("_", " "), value] as const];
      }),
    }));
  },
});
