import { defineCommand } from "../../app/define.ts";
import { one, optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { branch, branchCreate } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { explainUnknownCommit } from "../../forge/resolve-commit.ts";
import { isBranchName } from "../../git/refs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs branch create`: POST a branch. */
export const create = defineCommand({
  summary: "Create a branch",
  on: "repository",
  effect: "write",
  args: {
    name: one("name of the branch"),
    ref: optional("branch, tag or commit to start from (default: the default branch)", { source: "ref" }),
  },
  output: branch,
  exits: { refused: "a branch or a tag with this name exists" },
  examples: [
    ["Create a branch at the default branch", "tongs branch create fix-tides"],
    ["Create a branch at a tag", "tongs branch create release/1.2 v1.2.0"],
  ],
  async run(context) {
    const { args, http, repo, server, out } = context;
    if (!isBranchName(args.name)) throw new UsageError(`'${args.name}' is not a valid branch name`);
    if (args.ref === "") throw new UsageError("REF must not be empty");
    const created = await call(
      http,
      branchCreate,
      { repo },
      { new_branch_name: args.name, old_ref_name: args.ref },
    ).catch((error: unknown) => {
      return explainUnknownCommit(error, args.ref, context);
    });
    const at = created.commit?.id.slice(0, 10) ?? "";
    const message = `Created branch ${created.name} at ${at} in ${fullName(repo)} ${accountLabel(server)}`;
    await out.done(message, { prints: created.name, record: created });
  },
});
