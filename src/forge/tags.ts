import type { IgnoredField } from "../failure/failure.ts";
import { anything, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { type Settings, shapesOf } from "./setting.ts";
import { notCreatedAgain, undoCreate, undoDelete } from "./undo.ts";

const tagCommit = serverRecord("a reference to a commit", { sha: string, created: optional(time) }, { url: string });

/** A tag. `message` is that of an annotated tag, or else of its commit; `id` is the tag object or the commit. */
export const tag = serverRecord(
  "a tag",
  { name: string, message: optional(string), id: optional(string), commit: optional(nullable(tagCommit)) },
  { zipball_url: string, tarball_url: string, archive_download_count: optional(anything) },
);

export type Tag = Infer<typeof tag>;

const listed = { shape: list(string), onlyWithAccess: "read" } as const;

/** Who can create and delete the tags of a protection. Others than writers can be listed, but not push. */
export const tagProtectionSettings = {
  whitelist_usernames: { ...listed, flag: "users who can create and delete matching tags", names: "user" },
  whitelist_teams: { ...listed, flag: "teams that can create and delete matching tags", names: "team" },
} as const satisfies Settings;

/** The protection of the tags whose names match a pattern: a glob, or a regular expression between slashes. */
export const tagProtection = serverRecord(
  "a tag protection",
  { id: integer, name_pattern: string, ...shapesOf(tagProtectionSettings), updated_at: optional(time) },
  { created_at: optional(time) },
);

export type TagProtection = Infer<typeof tagProtection>;

export const tagList = operation("GET", "/repos/{owner}/{repo}/tags", { answers: pagesOf(tag, { unique: "name" }) });

/** The slashes of a name are escaped: servers do not know the path otherwise. */
export const tagGet = operation("GET", "/repos/{owner}/{repo}/tags/{tag}", { answers: tag });

/** With a message the tag is annotated. Without a target it is that of the default branch. */
export const tagCreate = operation("POST", "/repos/{owner}/{repo}/tags", {
  answers: tag,
  applied: { reads: { tag_name: ({ name }) => name }, except: { target: "the tag has the commit of it" } },
});

/** 409 while a release has the tag. */
export const tagDelete = operation("DELETE", "/repos/{owner}/{repo}/tags/{tag}", {
  undo: notCreatedAgain("commit.sha"),
});

/** All in one page. */
export const tagProtectionList = operation("GET", "/repos/{owner}/{repo}/tag_protections", {
  answers: pagesOf(tagProtection, { unpaged: true }),
});

export const tagProtectionGet = operation("GET", "/repos/{owner}/{repo}/tag_protections/{id}", {
  answers: tagProtection,
});

/** docs/server-differences.md, "Branches and tags". */
const teamsHint = (ignored: readonly IgnoredField[]) =>
  ignored.some(({ name }) => name === "whitelist_teams")
    ? "Check that the teams exist in the organization that owns the repository."
    : "Check that the users can write to the repository.";

export const tagProtectionCreate = operation("POST", "/repos/{owner}/{repo}/tag_protections", {
  answers: tagProtection,
  undo: undoCreate(),
  applied: { hint: teamsHint },
});

export const tagProtectionEdit = operation("PATCH", "/repos/{owner}/{repo}/tag_protections/{id}", {
  answers: tagProtection,
  applied: { hint: teamsHint },
});

/** The regular expression that a pattern has between slashes; undefined if it is a glob. */
export function expressionOf(pattern: string): string | undefined {
  return /^\/(.*)\/$/s.exec(pattern)?.[1];
}

export const tagProtectionDelete = operation("DELETE", "/repos/{owner}/{repo}/tag_protections/{id}", {
  undo: undoDelete(),
});
