import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { branch, branchGet, branchUpdate } from "../../forge/branches.ts";
import { call } from "../../forge/operation.ts";
import { explainUnknownCommit, resolveCommit } from "../../forge/resolve-commit.ts";
import { InvalidError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs branch update`: PUT the commit that a branch is at. */
export const update = writeCommand({
  summary: "Move a branch to a commit",
  details: "Without --force, only fast-forwards are allowed.",
  on: "repository",
  needs: [branchUpdate],
  args: {
    branch: one("name of the branch", { source: "branch" }),
    commit: one("branch, tag or commit to move it to", { source: "ref" }),
  },
  flags: {
    expect: text("move it only if it is at this commit", { placeholder: "COMMIT" }),
    force: toggle("allow a non-fast-forward update", { short: "f" }),
  },
  output: branch,
  exits: { refused: "the branch is at another commit, or would drop commits without --force" },
  examples: [
    ["Move a branch to another", "tongs branch update staging main"],
    ["Move it back, unless it was moved in the meantime", "tongs branch update main 3f2a91c --expect 9b1c0d2 --force"],
  ],
  async work(context) {
    const { args, flags, http, repo } = context;
    const expected = flags.expect === undefined ? undefined : await resolveCommit(flags.expect, context);
    const body = { new_commit_id: args.commit, old_commit_id: expected, force: flags.force ? true : undefined };
    await call(http, branchUpdate, { repo, branch: args.branch }, body).catch((error: unknown) => {
      if (error instanceof InvalidError) throw explainInvalid(error, args.branch, expected);
      return explainUnknownCommit(error, args.commit, context);
    });
    const record = () => call(http, branchGet, { repo, branch: args.branch });
    return { done: `Moved branch ${args.branch} of ${fullName(repo)} to ${args.commit}`, record };
  },
});

function explainInvalid(error: InvalidError, name: string, expected: string | undefined): Failure {
  const details = { status: error.status, method: error.method, path: error.path, cause: error };
  const [, present] = /commit does not match \[expected: .*, given: ([0-9a-f]+)\]/.exec(error.serverMessage) ?? [];
  if (present !== undefined) {
    return new Failure("branch_moved", `Branch ${name} is at ${present}, not at ${expected}`, details);
  }
  if (!/^force push/i.test(error.serverMessage)) return error;
  return new Failure("not_fast_forward", `Moving branch ${name} would drop commits`, {
    ...details,
    hint: "Pass --force to move it anyway.",
  });
}
