import { defineCommand } from "../../app/define.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";
import { repository } from "../../forge/repos.ts";
import { listStars } from "../../forge/stars.ts";
import { list as listOf } from "../../shape/shape.ts";
import { repositoryColumns } from "../repo/shared.ts";

/** `tongs star list`: GET /user/starred, or those of another user. */
export const list = defineCommand({
  summary: "List starred repositories",
  on: "server",
  effect: "read",
  lists: ["starred repository", "starred repositories"],
  flags: { user: text("list the stars of this user instead of yours", { placeholder: "USER" }) },
  output: listOf(repository),
  examples: [
    ["List your stars", "tongs star list"],
    ["Print the names of all repositories a user starred", "tongs star list --user mara --all --jq '.[].full_name'"],
  ],
  web: {
    page: async (context) => `${pagePath(context.flags.user ?? (await currentUser(context)))}?tab=stars`,
    uses: ["user"],
  },
  async run({ flags, http, out }) {
    await out.list(flags.user === undefined ? listStars(http) : listStars(http, flags.user), repositoryColumns);
  },
});
