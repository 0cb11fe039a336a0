import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { printGitDryRun } from "../../app/dry-run.ts";
import { pickOne } from "../../app/pick.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { repoGet, repository } from "../../forge/repos.ts";
import { pointsTo, type Remote } from "../../git/remotes.ts";
import { fullName } from "../../repo/repo-name.ts";
import { repoArgument } from "./arguments.ts";

/** `tongs repo set-default`: writes `remote.NAME.tongs-default` to the clone's configuration, after a GET. */
export const setDefault = defineCommand({
  summary: "Set the default repository of a clone",
  details:
    "Commands in this clone then work on that repository, whatever the remotes are named. It must be one of the remotes. " +
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
    const remote = args.repo === undefined ? await chosenRemote(context, remotes) : await namedRemote(context, remotes);
    const found = await call(http, repoGet, { repo: { owner: remote.owner, name: remote.repo } });
    const key = `remote.${remote.name}.tongs-default`;
    if (options.dryRun) return printGitDryRun(["config", "--local", key, "true"], context);
    for (const { name } of await git.remotes())
      await git.attempt(["config", "--local", "--unset-all", `remote.${name}.tongs-default`]);
    await git.run(["config", "--local", key, "true"]);
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

async function namedRemote({ locate }: SetContext, remotes: readonly Remote[]): Promise<Remote> {
  const wanted = await locate();
  const found = remotes.find((remote) => pointsTo(remote, wanted));
  if (found !== undefined) return found;
  const known = remotes.map(({ owner, repo }) => `${owner}/${repo}`).join(", ");
  throw new UsageError(
    `No git remote points to ${fullName(wanted)}`,
    `The remotes are ${known}. Add another with: git remote add`,
  );
}
