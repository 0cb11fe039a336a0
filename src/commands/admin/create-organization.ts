import { defineCommand } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { checkOrgName, orgFields } from "../../app/org-fields.ts";
import { currentUser } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { userOrgCreate } from "../../forge/admin.ts";
import { call } from "../../forge/operation.ts";
import { organization } from "../../forge/users.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { percentEncoded } from "../../text/percent.ts";

/** `tongs admin org create`: POST /admin/users/{username}/orgs. */
export const create = defineCommand({
  summary: "Create an organization for a user",
  on: "server",
  effect: "write",
  args: { name: one("name of the organization") },
  flags: { owner: text("user who owns the organization (default: you)", { placeholder: "USER" }), ...orgFields },
  output: organization,
  examples: [["Create an organization that mara owns", "tongs admin org create tidewater --owner mara"]],
  async run(context) {
    const { args, flags, http, out, server } = context;
    checkOrgName(args.name);
    const owner = flags.owner ?? (await currentUser(context));
    const record = await call(
      http,
      userOrgCreate,
      { username: owner },
      { username: args.name, ...bodyOf(orgFields, flags) },
    );
    const prints = `${addressText(server.base)}/${percentEncoded(record.name)}`;
    await out.done(`Created organization ${record.name}, owned by ${owner} ${accountLabel(server)}`, {
      prints,
      record,
    });
  },
});
