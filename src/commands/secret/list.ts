import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Secret, secret, secretList } from "../../forge/secrets.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { settingLevel } from "../variable/setting-level.ts";

const columns = [
  column<Secret>("NAME", "name"),
  column<Secret>("DESCRIPTION", "description", { flexible: true }),
  column<Secret>("CREATED", "created_at", { as: "time" }),
];

/** `tongs secret list`: GET the Actions secrets of a repository or an organization, without their values. */
export const list = defineCommand({
  summary: "List secrets",
  details: "Servers never return the values. They cannot list the secrets of a user.",
  on: "server",
  effect: "read",
  lists: ["secret", "secrets"],
  flags: levelFlags,
  exclusive: levelExclusive,
  output: listOf(secret),
  examples: [["The secrets of the current repository", "tongs secret list"]],
  web: {
    page: async (context) => settingsPage(await levelOf(context.flags, context), "actions/secrets"),
    uses: ["org", "user", "admin"],
  },
  async run(context) {
    const { flags, http, out } = context;
    const owner = await settingLevel("secret", flags, context);
    if (owner.of === "user") {
      const hint = "You can set and delete them: tongs secret set --user";
      throw new Failure("unknown_operation", "No server has an API to list the secrets of a user", {
        hint,
      });
    }
    await out.list(call(http, secretList, { level: owner }), columns);
  },
});
