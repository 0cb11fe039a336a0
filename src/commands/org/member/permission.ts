import { defineCommand } from "../../../app/define.ts";
import { currentUser } from "../../../app/shared.ts";
import { one, optional } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { orgPermissionGet, orgPermissions } from "../../../forge/orgs.ts";

/** `tongs org member permission`: GET what a user may do in an organization. */
export const permission = defineCommand({
  summary: "View what a user may do in an organization",
  on: "server",
  effect: "read",
  args: { org: one("organization"), user: optional("username (default: you)") },
  output: orgPermissions,
  examples: [["Check whether you may create repositories", "tongs org member permission tidewater"]],
  async run(context) {
    const { args, http, out } = context;
    const user = args.user ?? (await currentUser(context));
    await out.record(await call(http, orgPermissionGet, { username: user, org: args.org }), (found) => ({
      title: user,
      fields: [
        ["owner", found.is_owner],
        ["administrator", found.is_admin],
        ["can write", found.can_write],
        ["can read", found.can_read],
        ["can create repositories", found.can_create_repository],
      ],
    }));
  },
});
