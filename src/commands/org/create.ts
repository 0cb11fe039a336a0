import { defineCommand } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { orgCreate } from "../../forge/orgs.ts";
import { organization, orgName } from "../../forge/users.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { checkOrgName, orgFields } from "./shared.ts";

/** `tongs org create`: POST /orgs. */
export const create = defineCommand({
  summary: "Create an organization",
  on: "server",
  effect: "write",
  args: { name: one("name of the organization") },
  flags: orgFields,
  output: organization,
  examples: [
    ["Create an organization", "tongs org create tidewater --full-name 'Tidewater Charts'"],
    ["Create a private organization", "tongs org create tidewater --visibility private"],
  ],
  async run({ args, flags, http, out, server }) {
    checkOrgName(args.name);
    const created = await call(http, orgCreate, {}, { ...bodyOf(orgFields, flags), username: args.name });
    await out.done(`Created organization ${orgName(created)} ${accountLabel(server)}`, {
      prints: `${addressText(server.base)}/${orgName(created)}`,
      record: created,
    });
  },
});
