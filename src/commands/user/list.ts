import { defineCommand } from "../../app/define.ts";
import { filtered, pagePath } from "../../app/web.ts";
import { choice, integer, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { listUsers } from "../../forge/list-users.ts";
import { user, visibilities } from "../../forge/users.ts";
import { list as listOf } from "../../shape/shape.ts";
import { userColumns } from "./display.ts";

/** `tongs user list`: GET /admin/users. */
export const list = defineCommand({
  summary: "List the users of the server",
  on: "server",
  effect: "read",
  lists: ["user", "users"],
  flags: {
    query: text("search in username, full name and email address", { placeholder: "TEXT", filters: true }),
    admin: yesNo("filter by administrator rights", { filters: true }),
    active: toggle("list only active users", { filters: true }),
    inactive: toggle("list only inactive users", { filters: true }),
    restricted: yesNo("filter by whether the user is restricted", { filters: true }),
    "2fa": yesNo("filter by whether two-factor authentication is enabled", { filters: true }),
    prohibitLogin: yesNo("filter by whether signing in is prohibited", { filters: true }),
    visibility: choice(visibilities, "filter by visibility of the profile", { filters: true }),
    sourceId: integer("filter by ID of the authentication source (0 is the local one)", { filters: true }),
    loginName: text("filter by login name at the authentication source (exact)", {
      placeholder: "NAME",
      filters: true,
    }),
    sort: choice(["name", "created", "updated", "id"], "sort by"),
    order: choice(["asc", "desc"], "sort order"),
  },
  exclusive: [["active", "inactive"]],
  output: listOf(user),
  examples: [
    ["List the administrators", "tongs user list --admin"],
    ["List the newest users", "tongs user list --sort created --order desc --limit 10"],
    [
      "List the names of users who have never signed in",
      "tongs user list --all --jq '.[] | select(.last_login < \"1971\") | .login'",
    ],
  ],
  web: { page: ({ flags }) => filtered(pagePath("explore", "users"), { q: flags.query }), uses: ["query"] },
  async run({ flags, http, out }) {
    if (flags.order !== undefined && flags.sort === undefined) throw new UsageError("--order requires --sort");
    const query = {
      q: flags.query,
      is_admin: flags.admin,
      is_active: flags.active ? true : flags.inactive ? false : undefined,
      is_restricted: flags.restricted,
      is_2fa_enabled: flags["2fa"],
      is_prohibit_login: flags.prohibitLogin,
      visibility: flags.visibility,
      source_id: flags.sourceId,
      login_name: flags.loginName,
      sort: flags.sort,
      order: flags.order,
    };
    await out.list(listUsers(http, query), userColumns);
  },
});
