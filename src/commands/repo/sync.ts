import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { currentUser, remotesOnServer } from "../../app/shared.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { divergedError, syncFork } from "../../forge/fork-steps.ts";
import { forkSync, type SyncResult, syncResult, upstreamMerge } from "../../forge/forks.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { defaultBranch, ownRepoList, parentOf, type Repository, repoGet } from "../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName, isSameRepo, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { either, list, optional, record, string } from "../../shape/shape.ts";
import { quoted } from "../../text/words.ts";
import { repoArgument } from "./arguments.ts";

/** With --all, the record of each fork has its name. */
const synced = record({ ...syncResult.fields, repository: optional(string) });

/** `tongs repo sync`: POST the merge of the parent's branch into the fork's branch, on the server. */
export const sync = defineCommand({
  summary: "Sync a fork with its parent",
  details:
    "Brings a branch of the fork up to date with the branch of the same name in the parent repository, on the server. " +
    "A branch with commits of its own gets a merge commit on Gitea, unless --ff-only is given, and is refused on Forgejo. To update your clone afterwards, run git pull. " +
    "In a clone, the default is the fork among its remotes: the one of set-default, yours, or origin. --all syncs all forks of " +
    "your account that are not archived.",
  on: "server",
  needs: [[upstreamMerge, forkSync]],
  effect: "write",
  args: { repo: repoArgument },
  flags: {
    branch: text("branch to sync (default: the default branch)", {
      placeholder: "BRANCH",
      short: "b",
      source: "branch",
    }),
    ffOnly: toggle("only fast-forward"),
    all: toggle("sync all forks of your account"),
  },
  output: either(synced, list(synced), Array.isArray),
  exits: {
    refused: "not a fork, a conflict, or not a fast-forward with --ff-only or on Forgejo",
    partly: "with --all: some forks were synced, some failed",
  },
  examples: [
    ["Sync the default branch of a fork", "tongs repo sync priya/harbor"],
    ["Sync another branch, without a merge commit", "tongs repo sync --branch release --ff-only"],
    ["Sync all your forks", "tongs repo sync --all"],
  ],
  async run(context) {
    const { args, flags, http, options, out } = context;
    if (!flags.all) {
      const { message, record } = await syncOne(await forkToSync(context), context);
      return void (await out.done(message, { record }));
    }
    if (args.repo !== undefined || options.repo !== undefined)
      throw new UsageError("Specify either a repository or --all");
    const me = (await currentUser(context)).toLowerCase();
    const own = await collect(call(http, ownRepoList, {}));
    const forks = own.filter(({ fork, archived, owner }) => fork && !archived && owner?.login.toLowerCase() === me);
    if (forks.length === 0) out.note("You have no forks.");
    const work = async (found: Repository) => {
      const { message, record } = await syncOne({ repo: parseRepo(found.full_name), found }, context);
      return { message, record: { repository: found.full_name, ...record } };
    };
    return batch(forks, work, context, { name: ({ full_name }) => full_name });
  },
});

interface Fork {
  readonly repo: RepoName;
  readonly found: Repository;
}

/** Syncs a branch of a fork, by default its default branch, and returns what was done. */
async function syncOne(
  { repo, found }: Fork,
  {
    flags,
    http,
    server,
  }: ServerContext & { readonly flags: { readonly branch: string | undefined; readonly ffOnly: boolean } },
): Promise<{ readonly message: string; readonly record: SyncResult }> {
  const branch = flags.branch ?? defaultBranch(found);
  const from = parentOf(found);
  const result = await syncFork(http, repo, { branch, ffOnly: flags.ffOnly }).catch((error: unknown) => {
    throw explainSyncError(error, { repo, branch, from });
  });
  const source = from === undefined ? "its parent" : fullName(from);
  const message =
    result.merge_type === "up-to-date"
      ? `${branch} of ${fullName(repo)} is up to date with ${source}`
      : `Synced ${branch} of ${fullName(repo)} with ${source} (${result.merge_type})`;
  return { message: `${message} ${accountLabel(server)}`, record: result };
}

/**
 * The given repository, or in a clone the fork among its remotes: the original, which other commands work on, has no parent
 * to sync with. A fork of somebody else is not meant. Throws if there is no fork.
 */
async function forkToSync(context: BaseContext & ServerContext): Promise<Fork> {
  const { http, isRepoGiven } = context;
  const repo = await context.locate();
  const remotes = isRepoGiven ? [] : await remotesOnServer(context);
  const user = remotes.length > 1 ? (await currentUser(context)).toLowerCase() : "";
  const likely = [
    ...remotes.filter(({ isDefault }) => isDefault),
    ...remotes.filter(({ owner }) => owner.toLowerCase() === user),
    ...remotes.filter(({ name }) => name === "origin"),
  ].map((remote): RepoName => ({ owner: remote.owner, name: remote.repo }));
  const names = [...likely, repo].filter((one, at, all) => all.findIndex((other) => isSameRepo(one, other)) === at);
  for (const name of names) {
    const found = await call(http, repoGet, { repo: name });
    if (found.fork !== false) return { repo: name, found };
  }
  const hint = remotes.length > 1 ? "Specify the fork: tongs repo sync OWNER/NAME" : undefined;
  throw new Failure("not_a_fork", `${fullName(repo)} is not a fork`, { hint });
}

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
  return new Failure("conflict", `${branch} of ${fullName(repo)} conflicts with ${branch} of ${parent}`, {
    hint: `Merge it in a clone, resolve the conflict, and push: git fetch upstream && git merge ${quoted(`upstream/${branch}`)}`,
    status,
    cause: error,
  });
}
