import { defineCommand } from "../../app/define.ts";
import { bodyOf, changedFields } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { editOrg } from "../../forge/orgs.ts";
import { organization, orgName } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";
import { orgFields } from "./shared.ts";

/** `tongs org edit`: PATCH /orgs/{org} with the given fields. */
export const edit = defineCommand({
  summary: "Edit an organization",
  on: "server",
  effect: "write",
  args: { org: one("organization") },
  flags: orgFields,
  output: organization,
  examples: [["Change the description", "tongs org edit tidewater --description 'Charts of the coast'"]],
  async run({ args, flags, http, out, server }) {
    const body = bodyOf(orgFields, flags);
    const fields = changedFields(body);
    const edited = await editOrg(http, args.org, body);
    await out.done(`Updated ${orgName(edited)} (${fields}) ${accountLabel(server)}`, { record: edited });
  },
});
