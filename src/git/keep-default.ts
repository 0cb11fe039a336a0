import { fullName, type RepoName } from "../repo/repo-name.ts";
import type { Git } from "./git.ts";

/**
 * Makes a remote the default of the clone, and with `base` the repository that it is a fork of: `remote.NAME.tongs-default` is
 * that of one remote.
 */
export async function keepDefault(git: Git, name: string, base?: RepoName): Promise<void> {
  for (const one of await git.remotes())
    await git.attempt(["config", "--local", "--unset-all", `remote.${one.name}.tongs-default`]);
  await git.run(defaultArgs(name, base));
}

/** The arguments of git that do. */
export function defaultArgs(name: string, base?: RepoName): string[] {
  return ["config", "--local", `remote.${name}.tongs-default`, base === undefined ? "true" : fullName(base)];
}
