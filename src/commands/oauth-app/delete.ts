import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { many } from "../../command/args.ts";
import { oauthAppDelete } from "../../forge/oauth-apps.ts";
import { call } from "../../forge/operation.ts";

/** `tongs oauth-app delete`: DELETE /user/applications/oauth2/{id} for each. */
export const remove = defineCommand({
  summary: "Delete OAuth2 applications",
  details: "Tokens that the application has received stop working.",
  on: "server",
  effect: "destroy",
  args: { id: many("application IDs; - reads them from stdin, one per line") },
  exits: { partly: "some applications were deleted, some failed" },
  examples: [
    ["Delete an application", "tongs oauth-app delete 10 --yes"],
    ["Delete two applications", "tongs oauth-app delete 10 11 --yes"],
  ],
  async run(context) {
    const { args, http } = context;
    return deleteById(
      { ids: args.id, noun: "application", delete: (id) => call(http, oauthAppDelete, { id }) },
      context,
    );
  },
});
