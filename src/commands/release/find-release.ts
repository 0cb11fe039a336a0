import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Release, type ReleaseAsset, releaseGetByTag, releaseGetLatest } from "../../forge/releases.ts";
import { repoGet } from "../../forge/repos.ts";
import { NotFoundError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";

/** What an argument that names a release means. */
export const releaseArgument = "tag of the release, or latest";

/**
 * The release of a tag. `latest` is the release with this tag, which many projects move along, or else the newest one that
 * is neither a draft nor a prerelease; so is no tag.
 */
export async function findRelease(tag: string | undefined, { http, repo }: RepositoryContext): Promise<Release> {
  const newest = tag === undefined || tag === "latest";
  try {
    if (tag !== undefined) return await call(http, releaseGetByTag, { repo, tag });
  } catch (error) {
    if (!newest || !(error instanceof NotFoundError)) throw await notFound(error);
  }
  return call(http, releaseGetLatest, { repo }).catch(async (error: unknown) => {
    throw await notFound(error);
  });

  async function notFound(error: unknown): Promise<unknown> {
    if (!(error instanceof NotFoundError)) return error;
    // Throws a better error if the repository does not exist.
    await call(http, repoGet, { repo });
    const message = newest
      ? `No release in ${fullName(repo)} that is neither a draft nor a prerelease`
      : `Release ${tag} not found in ${fullName(repo)}`;
    return new Failure("not_found", message, { hint: "List the releases with: tongs release list" });
  }
}

/** `release v1.2 of mara/harbor`, for messages. */
export function releaseName({ tag_name }: Release, { repo }: Pick<RepositoryContext, "repo">): string {
  return `release ${tag_name} of ${fullName(repo)}`;
}

/** The assets of a release. */
export function assetsOf({ assets }: Release): readonly ReleaseAsset[] {
  return present(assets);
}
