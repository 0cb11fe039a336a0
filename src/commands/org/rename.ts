import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { organization } from "../../forge/users.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";

/** `tongs org rename`: POST /orgs/{org}/rename, which Forgejo lacks. */
export const rename = defineCommand({
  summary: "Rename an organization",
  details:
    "The server redirects from the old name until someone else takes it. Clones of the organization's repositories should " +
    "be changed with git remote set-url.",
  on: "server",
  effect: "write",
  args: { org: one("organization"), name: one("new name") },
  output: organization,
  examples: [["Rename an organization", "tongs org rename tidewater lowwater"]],
  async run({ args, forge, out, server }) {
    await forge.orgs.rename(args.org, args.name);
    await out.done(`Renamed organization ${args.org} to ${args.name} ${accountLabel(server)}`, {
      prints: `${addressText(server.base)}/${args.name}`,
      record: () => forge.orgs.get(args.name),
    });
    // Servers ignore the case of names.
    if (args.name.toLowerCase() === args.org.toLowerCase()) return;
    out.note(`${args.org} redirects to ${args.name} until someone else takes that name.`);
  },
});
