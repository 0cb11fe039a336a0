import type { RepositoryContext } from "../../app/context.ts";
import { text, toggle, yesNo } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Release, type ReleaseAsset, releaseGetByTag, releaseGetLatest } from "../../forge/releases.ts";
import { repoGet } from "../../forge/repos.ts";
import { NotFoundError } from "../../http/errors.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { fullName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";

/** What an argument that names a release means. */
export const releaseArgument = "tag of the release, or latest";

/** The flags for the notes of a release. */
export const notesFlags = {
  notes: text("release notes", { short: "n" }),
  notesFile: text("read the release notes from a file; - reads stdin", {
    short: "F",
    names: "input file",
    placeholder: "FILE",
  }),
};

/** The flags for the settings of a release. */
export const settingFlags = {
  title: text("title", { short: "t" }),
  target: text("branch or commit to create the tag at (default: the default branch)", {
    placeholder: "REF",
    source: "branch",
  }),
  hideArchiveLinks: yesNo("hide the links to the source code (Forgejo)"),
};

/** The flag that reads the notes from the tag. */
export const notesFromTag = toggle("use the message of the tag as release notes");

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

/** Whether a release is a draft or a prerelease, in its color. */
export function releaseType({ draft, prerelease }: Release): Cell {
  if (draft) return styled("warn", "draft");
  return prerelease ? styled("plain", "prerelease") : "";
}

/** The assets of a release. */
export function assetsOf({ assets }: Release): readonly ReleaseAsset[] {
  return present(assets);
}
