import type { BaseContext, ServerContext } from "../../app/context.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { Repository } from "../../forge/repos.ts";
import { type Git, pushFailureReason } from "../../git/git.ts";
import { setHelperIn } from "../../profiles/git-helper.ts";
import { gitProtocol, remoteUrl } from "../../profiles/git-url.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullPath } from "../../system/files.ts";

type SourceContext = BaseContext & ServerContext;

/** The local repository of `--source`. Throws a usage error, before anything is created, if it cannot be used. */
export async function openSource(
  { git, system }: Pick<SourceContext, "git" | "system">,
  dir: string,
  pushes: boolean,
): Promise<Git> {
  const here = git.at(fullPath(dir, system));
  if ((await here.attempt(["rev-parse", "--git-dir"])).code !== 0) {
    throw new UsageError(`--source: ${dir} is not a git repository`, `Run: git -C ${dir} init`);
  }
  if ((await here.attempt(["config", "--get", "remote.origin.url"])).code === 0) {
    throw new UsageError(`--source: ${dir} has a remote named origin`, "Rename it: git remote rename origin NAME");
  }
  if (!pushes) return here;
  if ((await here.currentBranch()) === undefined) throw new UsageError(`--push: ${dir} is not on a branch`);
  if ((await here.attempt(["rev-parse", "--verify", "--quiet", "HEAD"])).code !== 0) {
    throw new UsageError(`--push: ${dir} has no commits`, "Commit something first.");
  }
  return here;
}

/** Adds the new repository as origin, and pushes the current branch. Throws a `Failure` if git fails. */
export async function connectSource(
  { server, out, system }: SourceContext,
  here: Git,
  created: Repository,
  pushes: boolean,
): Promise<void> {
  const protocol = gitProtocol(system);
  const place = { owner: created.owner?.login ?? "", name: created.name ?? "", ssh_url: created.ssh_url };
  const url = remoteUrl(server, place, protocol);
  await here.run(["remote", "add", "--", "origin", url]);
  if (protocol === "https") await setHelperIn(here, server);
  out.note(`Added the remote origin (${url})`);
  if (!pushes) return;
  const branch = (await here.currentBranch()) ?? "";
  const args = ["push", "--set-upstream", "--end-of-options", "origin", `refs/heads/${branch}:refs/heads/${branch}`];
  const result = await here.attempt(args, { config: await gitAuthConfig(server) });
  if (result.code === 0) {
    out.note(`Pushed ${branch} to origin`);
    return;
  }
  const hint = `${pushFailureReason(result)}\nTo try again, run: git push --set-upstream origin ${branch}`;
  throw new Failure("git", `Created ${created.full_name}, but could not push ${branch}`, { hint });
}
