import { defineCommand } from "../../app/define.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoList, orgReposDelete } from "../../forge/orgs.ts";
import { repository } from "../../forge/repos.ts";
import { accountLabel, commandOn } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";

/** `tongs org repo delete`: GET the repositories, then DELETE all of them at once. */
export const remove = defineCommand({
  summary: "Delete all repositories of an organization",
  details:
    "This cannot be undone. The server deletes them in the background. On a terminal, tongs asks you to type the " +
    "organization's name. Scripts must pass --yes.",
  on: "server",
  needs: [orgReposDelete],
  effect: "destroy",
  args: { org: one("organization") },
  output: listOf(repository),
  examples: [["Delete all repositories of an organization", "tongs org repo delete tidewater"]],
  async run({ args, http, out, prompt, server }) {
    if (args.org.includes("/")) {
      throw new UsageError(
        `'${args.org}' is not an organization`,
        `To delete one repository, run: ${commandOn(server, `tongs repo delete ${args.org}`)}`,
      );
    }
    const found = await collect(call(http, orgRepoList, { org: args.org }));
    const owner = found[0]?.owner?.login ?? args.org;
    const line = (name: string) => commandOn(server, `tongs org repo delete ${name}`);
    requirePresentName(args.org, owner, (name) => `To delete its repositories, run: ${line(name)}`);
    const count = found.length === 1 ? "1 repository" : `${found.length} repositories`;
    for (const { full_name } of found.slice(0, 10)) out.note(full_name);
    if (found.length > 10) out.note(`… and ${found.length - 10} more`);
    await prompt.confirmAction({
      what: `Permanently delete ${count} of ${args.org}`,
      typed: args.org,
      sends: orgReposDelete,
    });
    const status = await call(http, orgReposDelete, { org: args.org });
    if (out.records) await out.items(found);
    const done = status === 202 ? "Started to delete" : "Deleted";
    await out.done(`${done} ${count} of ${args.org} ${accountLabel(server)}`);
  },
});
