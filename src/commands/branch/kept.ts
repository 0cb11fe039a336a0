import { Failure } from "../../failure/failure.ts";
import { DeniedError } from "../../http/errors.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";

/** The failure for the default branch, which servers refuse to delete. */
export function isDefault(name: string, repo: RepoName): Failure {
  return new Failure("default_branch", `${name} is the default branch of ${fullName(repo)}`, {
    hint: "Make another branch the default branch first.",
  });
}

/** Why a branch was not deleted. 403 means that it cannot be deleted, too, not only that the caller may not. */
export function explainKept(error: unknown, name: string): unknown {
  if (!(error instanceof DeniedError)) return error;
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
