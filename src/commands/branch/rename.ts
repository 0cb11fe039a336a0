import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { branch, branchGet, branchRename } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { isBranchName } from "../../git/refs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs branch rename`: PATCH a branch. */
export const rename = defineCommand({
  summary: "Rename a branch",
  details: "Open pull requests and a protection with the same name follow. The default branch needs an administrator.",
  on: "repository",
  needs: [branchRename],
  effect: "write",
  args: { branch: one("name of the branch", { source: "branch" }), name: one("new name") },
  output: branch,
  exits: { invalid: "the new name exists, or is the same" },
  examples: [["Rename a branch", "tongs branch rename master main"]],
  async run({ args, http, repo, server, out }) {
    if (!isBranchName(args.name)) throw new UsageError(`'${args.name}' is not a valid branch name`);
    await call(http, branchRename, { repo, branch: args.branch }, { name: args.name });
    const message = `Renamed branch ${args.branch} to ${args.name} in ${fullName(repo)} ${accountLabel(server)}`;
    await out.done(message, { record: () => call(http, branchGet, { repo, branch: args.name }) });
  },
});
