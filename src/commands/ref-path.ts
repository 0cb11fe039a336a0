import type { RepositoryContext } from "../app/context.ts";
import { branchHeadGet } from "../forge/branches.ts";
import { call } from "../forge/operation.ts";
import { defaultBranch, repoGet } from "../forge/repos.ts";
import { isHash, resolveCommit } from "../forge/resolve-commit.ts";
import { tagGet } from "../forge/tags.ts";
import { isFound } from "../http/errors.ts";

/**
 * A branch, tag or commit in the paths of web pages: `branch/main`, `tag/v1.0`, `commit/3f2a91c…`. By default the default
 * branch. Throws a failure with code `not_found` if there is none.
 */
export async function refPath(ref: string | undefined, { http, repo }: RepositoryContext): Promise<string> {
  if (ref === undefined) return `branch/${defaultBranch(await call(http, repoGet, { repo }))}`;
  if (isHash(ref)) return `commit/${ref}`;
  if (await isFound(call(http, branchHeadGet, { repo, branch: ref }))) return `branch/${ref}`;
  if (await isFound(call(http, tagGet, { repo, tag: ref }))) return `tag/${ref}`;
  return `commit/${await resolveCommit(ref, { http, repo })}`;
}
