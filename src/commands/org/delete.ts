import { defineCommand } from "../../app/define.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { one } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { orgDelete, orgGet, orgRepoList } from "../../forge/orgs.ts";

import { organization, orgName } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";

/** `tongs org delete`: GET the organization and its repositories, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete an organization",
  details:
    "This cannot be undone. An organization that still owns repositories is not deleted. On a terminal, tongs asks you to " +
    "type the organization's name. Scripts must pass --yes.",
  on: "server",
  effect: "destroy",
  args: { org: one("organization") },
  output: organization,
  exits: { refused: "the organization still owns repositories" },
  examples: [["Delete an organization", "tongs org delete tidewater"]],
  async run({ args, http, out, prompt, server }) {
    const found = await call(http, orgGet, { org: args.org });
    const name = orgName(found);
    requirePresentName(args.org, name, (present) => `To delete it, run: tongs org delete ${present}`);
    for await (const { full_name } of call(http, orgRepoList, { org: name }).take(1)) {
      const message = `Organization ${name} still owns repositories, such as ${full_name}`;
      const hint = `Transfer or delete them first. To list them, run: tongs org repo list ${name}`;
      throw new Failure("not_empty", message, { hint });
    }
    await prompt.confirmAction({ what: `Permanently delete organization ${name}`, typed: name, sends: orgDelete });
    await call(http, orgDelete, { org: name });
    await out.done(`Deleted organization ${name} ${accountLabel(server)}`, { record: found });
  },
});
