import { defineCommand } from "../../app/define.ts";
import { choice, integer, text, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { listUsers } from "../../forge/list-users.ts";
import { user, visibilities } from "../../forge/users.ts";
import { list as listOf } from "../../shape/shape.ts";
import { accountColumns } from "./display.ts";

/** `tongs user list`: GET /admin/users. */
export const list = defineCommand({
  summary: "List the accounts of the server",
  on: "server",
  effect: "read",
  flags: {
    query: text("with this in name, full name or mail", { placeholder: "TEXT" }),
    admin: yesNo("administrators only, or none of them"),
    active: toggle("active accounts only"),
    inactive: toggle("inactive accounts only"),
    restricted: yesNo("restricted accounts only, or none of them"),
    "2fa": yesNo("with a second factor, or without"),
    prohibitLogin: yesNo("who may not sign in, or who may"),
    visibility: choice(visibilities, "of this visibility", { placeholder: "V" }),
    sourceId: integer("of this login source (0 is the server itself)"),
    loginName: text("with exactly this name at the login source", { placeholder: "L" }),
    sort: choice(["name", "created", "updated", "id"], "in the order of"),
    order: choice(["asc", "desc"], "up or down"),
  },
  exclusive: [["active", "inactive"]],
  output: listOf(user),
  examples: [
    ["Who are the administrators?", "tongs user list --admin"],
    ["The newest accounts", "tongs user list --sort created --order desc --limit 10"],
    [
      "Everybody who never signed in, by name",
      "tongs user list --all --jq '.[] | select(.last_login < \"1971\") | .login'",
    ],
  ],
  async run({ flags, forge, out }) {
    if (flags.order !== undefined && flags.sort === undefined) throw new UsageError("--order needs --sort");
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
    await out.list(listUsers(forge.adminUsers.list, query), accountColumns);
  },
});
