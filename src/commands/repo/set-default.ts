import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { pickOne } from "../../app/pick.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { parentOf, repoGet, repository } from "../../forge/repos.ts";
import { defaultArgs, keepDefault } from "../../git/keep-default.ts";
import { pointsTo, type Remote } from "../../git/remotes.ts";
import { fullName, isSameRepo, type RepoName } from "../../repo/repo-name.ts";
import { repoArgument } from "./arguments.ts";

/** `tongs repo set-default`: writes `remote.NAME.tongs-default` to the clone's configuration, after a GET. */
export const setDefault = defineCommand({
  summary: "Set the default repository of a clone",
  details:
    "Commands in this clone then work on that repository, whatever the remotes are named. It must be one of the remotes, or " +
    "the repository that one of them is a fork of. " +
    "Without REPO, tongs offers them on a terminal.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: { repo: repoArgument },
  output: repository,
  examples: [["Work on the original repository in a clone of a fork", "tongs repo set-default mara/harbor"]],
  async run(context) {
    const { args, http, git, out, options } = context;
    const remotes = await serverRemotes(context);
    const { remote, base } =
      args.repo === undefined ? { remote: await chosenRemote(context, remotes) } : await namedRemote(context, remotes);
    const found = await call(http, repoGet, { repo: base ?? { owner: remote.owner, name: remote.repo } });
    if (options.dryRun) return printGitDryRun(defaultArgs(remote.name, base), context);
    await keepDefault(git, remote.name, base);
    await out.done(`Set ${found.full_name} as the default repository of this clone`, { record: found });
  },
});

type SetContext = BaseContext & ServerContext;

/** The git remotes on the selected server, one for each repository. Throws a usage error if there are none. */
async function serverRemotes(context: SetContext): Promise<readonly Remote[]> {
  const all = await remotesOnServer(context);
  if (all.length > 0) return [...new Map(all.map((one) => [`${one.owner}/${one.repo}`.toLowerCase(), one])).values()];
  throw new UsageError(`No git remote points to ${context.server.base.host}`, "Run it in a clone of the repository.");
}

function chosenRemote({ prompt }: SetContext, remotes: readonly Remote[]): Promise<Remote> {
  return pickOne(prompt, remotes, {
    message: "Which repository should be the default?",
    flag: "REPO",
    what: "git remotes",
    name: ({ owner, repo }) => `${owner}/${repo}`,
  });
}

/** The remote of a repository, or one that is a fork of it. */
async function namedRemote(
  { http, locate }: SetContext,
  remotes: readonly Remote[],
): Promise<{ readonly remote: Remote; readonly base?: RepoName }> {
  const wanted = await locate();
  const found = remotes.find((remote) => pointsTo(remote, wanted));
  if (found !== undefined) return { remote: found };
  for (const remote of remotes) {
    const base = parentOf(await call(http, repoGet, { repo: { owner: remote.owner, name: remote.repo } }));
    if (base !== undefined && isSameRepo(base, wanted)) return { remote, base };
  }
  const known = remotes.map(({ owner, repo }) => `${owner}/${repo}`).join(", ");
  throw new UsageError(
    `No git remote points to ${fullName(wanted)}`,
    `The remotes are ${known}. Add another with: git remote add`,
  );
}
