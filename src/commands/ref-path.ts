import type { RepositoryContext } from "../app/context.ts";
import { defaultBranch } from "../forge/repos.ts";
import { isHash, resolveCommit } from "../forge/resolve-commit.ts";
import { NotFoundError } from "../http/errors.ts";

/**
 * A branch, tag or commit in the paths of web pages: `branch/main`, `tag/v1.0`, `commit/3f2a91c…`. By default the default
 * branch. Throws a failure with code `not_found` if there is none.
 */
export async function refPath(ref: string | undefined, { forge, repo }: RepositoryContext): Promise<string> {
  if (ref === undefined) return `branch/${defaultBranch(await forge.repos.get(repo))}`;
  if (isHash(ref)) return `commit/${ref}`;
  if (await exists(forge.branches.get(repo, ref))) return `branch/${ref}`;
  if (await exists(forge.tags.get(repo, ref))) return `tag/${ref}`;
  return `commit/${await resolveCommit(ref, { forge, repo })}`;
}

async function exists(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
