import { defineCommand } from "../../app/define.ts";
import { checkOrgName } from "../../app/org-fields.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { orgGet, orgRename } from "../../forge/orgs.ts";
import { organization } from "../../forge/users.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";

/** `tongs org rename`: POST /orgs/{org}/rename, which Forgejo lacks. */
export const rename = defineCommand({
  summary: "Rename an organization",
  details:
    "The server redirects from the old name until someone else takes it. To update clones of its " +
    "repositories, run: git remote set-url",
  on: "server",
  needs: [orgRename],
  effect: "write",
  args: { org: one("organization"), name: one("new name") },
  output: organization,
  examples: [["Rename an organization", "tongs org rename tidewater lowwater"]],
  async run({ args, http, out, server }) {
    checkOrgName(args.name);
    if (args.name === args.org) {
      const record = await call(http, orgGet, { org: args.org });
      return out.done(`No change: ${args.org} has this name`, {
        unchanged: true,
        prints: `${addressText(server.base)}/${args.name}`,
        record,
      });
    }
    await call(http, orgRename, { org: args.org }, { new_name: args.name });
    await out.done(`Renamed organization ${args.org} to ${args.name} ${accountLabel(server)}`, {
      prints: `${addressText(server.base)}/${args.name}`,
      record: () => call(http, orgGet, { org: args.name }),
    });
    // Servers ignore the case of names.
    if (args.name.toLowerCase() === args.org.toLowerCase()) return;
    out.note(`${args.org} redirects to ${args.name} until someone else takes that name.`);
  },
});
