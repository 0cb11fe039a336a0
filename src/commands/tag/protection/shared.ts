import type { RepositoryContext } from "../../../app/context.ts";
import { wholeList } from "../../../command/flags.ts";
import { collect } from "../../../forge/listings.ts";
import { oneNamed } from "../../../forge/names.ts";
import { call } from "../../../forge/operation.ts";
import { type TagProtection, tagProtectionList } from "../../../forge/tags.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** What an argument that names a tag protection means. */
export const protectionArgument = "pattern of the protection, or its ID";

/** The flags for those who can create and delete matching tags. */
export const listFields = {
  whitelistUsernames: wholeList("users who can create and delete matching tags", {
    placeholder: "USER",
    source: "user",
  }),
  whitelistTeams: wholeList("teams that can create and delete matching tags", { placeholder: "TEAM" }),
};

/** The tag protections of a repository, for `findProtection`. */
export function allProtections({ http, repo }: RepositoryContext): Promise<TagProtection[]> {
  return collect(call(http, tagProtectionList, { repo }));
}

/** The tag protection with this pattern or ID. */
export function findProtection(
  protections: readonly TagProtection[],
  typed: string,
  { repo }: Pick<RepositoryContext, "repo">,
): TagProtection {
  const where = `in ${fullName(repo)}`;
  return oneNamed(protections, typed, { kind: "tag protection", nameOf: (one) => one.name_pattern, where });
}
