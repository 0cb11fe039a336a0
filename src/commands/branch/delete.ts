import { batch } from "../../app/batch.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { deleteBranch } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { repoGet } from "../../forge/repos.ts";
import { DeniedError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs branch delete`: DELETE each branch. */
export const remove = defineCommand({
  summary: "Delete branches",
  details: "The default branch, protected branches and targets of open pull requests are not deleted.",
  on: "repository",
  effect: "destroy",
  args: {
    branch: many("names of branches; - reads them from stdin, one per line", { from: "branch", source: "branch" }),
  },
  exits: { refused: "it is the default branch, or protected", partly: "some branches were deleted, some failed" },
  examples: [["Delete two branches", "tongs branch delete fix-tides fix-lamp --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.branch, system);
    const what = targets.length === 1 ? `branch ${targets[0]}` : `${targets.length} branches`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const { default_branch } = await call(http, repoGet, { repo });
    return batch(
      targets,
      async (target) => {
        if (target === default_branch) throw isDefault(target, context);
        await deleteBranch(http, repo, target).catch((error: unknown) => {
          throw error instanceof DeniedError ? explainDenied(error, target) : error;
        });
        return { message: `Deleted branch ${target} of ${fullName(repo)} ${accountLabel(server)}` };
      },
      context,
    );
  },
});

function isDefault(name: string, { repo }: RepositoryContext): Failure {
  return new Failure("default_branch", `${name} is the default branch of ${fullName(repo)}`, {
    hint: "Make another branch the default branch first.",
  });
}

/** 403 means that a branch cannot be deleted, too, not only that the caller may not. */
function explainDenied(error: DeniedError, name: string): Failure {
  const details = { status: error.status, method: error.method, path: error.path, cause: error };
  if (error.serverMessage === "branch protected") {
    return new Failure("protected", `Branch ${name} is protected`, {
      ...details,
      hint: "List the protections with: tongs branch protection list",
    });
  }
  if (!/pull request target branch$/.test(error.serverMessage)) return error;
  return new Failure("branch_in_use", `Branch ${name} is the target of open pull requests`, {
    ...details,
    hint: `List them with: tongs pr list --base ${name}`,
  });
}
