import { defineCommand } from "../../app/define.ts";
import { bodyOf } from "../../app/fields.ts";
import { one } from "../../command/args.ts";
import { organization } from "../../forge/users.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { orgFields, orgName } from "./shared.ts";

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
  async run({ args, flags, forge, out, server }) {
    const created = await forge.orgs.create({ ...bodyOf(orgFields, flags), username: args.name });
    await out.done(`Created organization ${orgName(created)} ${accountLabel(server)}`, {
      prints: `${addressText(server.base)}/${orgName(created)}`,
      record: created,
    });
  },
});
