import { defineCommand } from "../../app/define.ts";
import { pagePath } from "../../app/web.ts";
import { optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { orgList, ownOrgList } from "../../forge/orgs.ts";
import { organization, userOrgList } from "../../forge/users.ts";
import { list as listOf } from "../../shape/shape.ts";
import { orgColumns } from "./shared.ts";

/** `tongs org list`: GET the organizations of the user, of another user, or all. */
export const list = defineCommand({
  summary: "List organizations",
  details: "For another user, lists only organizations whose members you can see.",
  on: "server",
  effect: "read",
  lists: ["organization", "organizations"],
  args: { user: optional("user whose organizations to list (default: you)") },
  flags: { visible: toggle("list all organizations of the server that you can see") },
  output: listOf(organization),
  examples: [
    ["List your organizations", "tongs org list"],
    ["List all organizations of the server", "tongs org list --visible --all"],
  ],
  web: {
    page: ({ args, flags }) =>
      flags.visible
        ? pagePath("explore/organizations")
        : args.user === undefined
          ? pagePath("user/settings/organization")
          : pagePath(args.user),
    uses: ["visible"],
  },
  async run({ args, flags, http, out }) {
    if (flags.visible && args.user !== undefined) throw new UsageError("--visible cannot be used with a user");
    const ofUser = () =>
      args.user === undefined ? call(http, ownOrgList, {}) : call(http, userOrgList, { username: args.user });
    await out.list(flags.visible ? call(http, orgList, {}) : ofUser(), orgColumns);
  },
});
