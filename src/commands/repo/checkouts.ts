import { existsSync, readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { remotesOnServer } from "../../app/shared.ts";
import { isClone } from "../../git/git.ts";
import type { RepoName } from "../../repo/repo-name.ts";

/** A clone on this machine, and its repository on the selected server. */
export interface Checkout {
  readonly path: string;
  readonly repo: RepoName;
}

/** How many clones are looked into at the same time. */
const concurrency = 8;

/**
 * The clones in a directory, as `DIR/NAME` or `DIR/OWNER/NAME`, by their remotes on the selected server; symbolic links are
 * not followed. Sorted by their paths. Warns of one at the place of a wanted repository that has no remote of it.
 */
export async function checkoutsIn(
  dir: string,
  wanted: (repo: RepoName) => boolean,
  context: Pick<BaseContext & ServerContext, "git" | "out" | "profiles" | "server">,
): Promise<Checkout[]> {
  const clones = foldersIn(dir).flatMap((path) => (hasGit(path) ? [path] : foldersIn(path).filter(hasGit)));
  const found = await pMap(
    clones,
    async (path) => {
      const git = context.git.at(path);
      if (!(await isClone(git))) return [];
      const remotes = await remotesOnServer({ ...context, git });
      const repo = remotes.map(({ owner, repo: name }) => ({ owner, name })).find(wanted);
      const [owner = "", name = ""] = path.split(sep).slice(-2);
      if (repo === undefined && dirname(dirname(path)) === dir && wanted({ owner, name }))
        context.out.warn(`${path} is left out: it has no remote of a matching repository on this server`);
      return repo === undefined ? [] : [{ path, repo }];
    },
    { concurrency },
  );
  return found.flat();
}

function foldersIn(dir: string): string[] {
  const entries = existsSync(dir) ? readdirSync(dir, { withFileTypes: true }) : [];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(dir, name))
    .sort();
}

const hasGit = (path: string) => existsSync(join(path, ".git"));
