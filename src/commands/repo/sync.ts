import { defineCommand } from "../../app/define.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { divergedError, syncFork } from "../../forge/fork-steps.ts";
import { syncResult } from "../../forge/forks.ts";
import { defaultBranch, reposApi } from "../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { refusedError } from "../pr/shared.ts";
import { parentOf } from "./clone-repository.ts";
import { repoArgument } from "./shared.ts";

/** `tongs repo sync`: POST the merge of the parent's branch into the fork's branch, on the server. */
export const sync = defineCommand({
  summary: "Sync a fork with its parent",
  details:
    "Brings a branch of the fork up to date with the branch of the same name in the parent repository, on the server. " +
    "Without --ff-only a branch with commits of its own gets a merge commit. To update your clone afterwards, run git pull.",
  on: "repository",
  effect: "write",
  args: { repo: repoArgument },
  flags: {
    branch: text("branch to sync (default: the default branch)", {
      placeholder: "BRANCH",
      short: "b",
      source: "branch",
    }),
    ffOnly: toggle("only fast-forward"),
  },
  output: syncResult,
  exits: { refused: "not a fork, a conflict, or not a fast-forward with --ff-only" },
  examples: [
    ["Sync the default branch of a fork", "tongs repo sync priya/harbor"],
    ["Sync another branch, without a merge commit", "tongs repo sync --branch release --ff-only"],
  ],
  async run({ flags, http, repo, server, out }) {
    const found = await reposApi(http).get(repo);
    if (found.fork === false) throw refusedError("not_a_fork", `${fullName(repo)} is not a fork`);
    const branch = flags.branch ?? defaultBranch(found);
    const from = parentOf(found.parent);
    const result = await syncFork(http, repo, { branch, ffOnly: flags.ffOnly }).catch((error: unknown) => {
      throw explainSyncError(error, { repo, branch, from });
    });
    const source = from === undefined ? "its parent" : fullName(from);
    const message =
      result.merge_type === "up-to-date"
        ? `${branch} of ${fullName(repo)} is up to date with ${source}`
        : `Synced ${branch} of ${fullName(repo)} with ${source} (${result.merge_type})`;
    await out.done(`${message} ${accountLabel(server)}`, { record: result });
  },
});

/**
 * Explains why a branch was not synced. A conflict is a 500 without a message (docs/server-differences.md,
 * "Repositories").
 */
function explainSyncError(
  error: unknown,
  { repo, branch, from }: { readonly repo: RepoName; readonly branch: string; readonly from: RepoName | undefined },
): unknown {
  if (!(error instanceof HttpError)) return error;
  const { status, serverMessage } = error;
  if (status === 400 && /fast-forward/.test(serverMessage)) return divergedError(repo, branch, error);
  if (error instanceof NotFoundError && /branch does not exist/.test(serverMessage)) {
    return new NotFoundError(error.exchange, `Branch ${branch} not found in ${fullName(repo)} or its parent`);
  }
  const isJson = typeof error.exchange.body === "object";
  if (status !== 500 || !isJson || !(serverMessage === "" || /conflict/i.test(serverMessage))) return error;
  const parent = from === undefined ? "its parent" : fullName(from);
  return new Failure("conflict", "refused", `${branch} of ${fullName(repo)} conflicts with ${branch} of ${parent}`, {
    hint: `Merge it in a clone, resolve the conflict, and push: git fetch upstream && git merge upstream/${branch}`,
    status,
    cause: error,
  });
}
