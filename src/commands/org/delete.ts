import { defineCommand } from "../../app/define.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { one } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { orgDelete, orgGet, orgRepoList } from "../../forge/orgs.ts";
import { packageList } from "../../forge/packages.ts";
import { organization, orgName } from "../../forge/users.ts";
import { DeniedError, UnknownOperationError } from "../../http/errors.ts";
import { accountLabel, commandOn } from "../../profiles/server.ts";

/** `tongs org delete`: GET the organization, its repositories and packages, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete an organization",
  details:
    "This cannot be undone. An organization that still owns repositories or packages is not deleted. On a terminal, tongs asks you to " +
    "type the organization's name. Scripts must pass --yes.",
  on: "server",
  effect: "destroy",
  args: { org: one("organization") },
  output: organization,
  exits: { refused: "the organization still owns repositories or packages" },
  examples: [["Delete an organization", "tongs org delete tidewater"]],
  async run({ args, http, out, prompt, server }) {
    const found = await call(http, orgGet, { org: args.org });
    const name = orgName(found);
    requirePresentName(
      args.org,
      name,
      (present) => `To delete it, run: ${commandOn(server, `tongs org delete ${present}`)}`,
    );
    const refuse = (what: string, how: string, list: string) => {
      const hint = `${how} them first. To list them, run: ${commandOn(server, `${list} ${name}`)}`;
      throw new Failure("not_empty", `Organization ${name} still owns ${what}`, { hint });
    };
    for await (const { full_name } of call(http, orgRepoList, { org: name }).take(1))
      refuse(`repositories, such as ${full_name}`, "Transfer or delete", "tongs org repo list");
    try {
      for await (const one of call(http, packageList, { owner: name }).take(1))
        refuse(`packages, such as ${one.name} ${one.version}`, "Delete", "tongs package list --owner");
    } catch (error) {
      // Without packages on the server, or without the right to list them.
      if (!(error instanceof DeniedError || error instanceof UnknownOperationError)) throw error;
    }
    await prompt.confirmAction({ what: `Permanently delete organization ${name}`, typed: name, sends: orgDelete });
    await call(http, orgDelete, { org: name });
    await out.done(`Deleted organization ${name} ${accountLabel(server)}`, { record: found });
  },
});
