import type { IgnoredField } from "../failure/failure.ts";
import { nothing } from "../http/answers.ts";
import { anything, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { matchForeign } from "../system/foreign-pattern.ts";
import { contextPattern } from "../text/glob.ts";
import type { ListsOfWriters } from "./branch-protections.ts";
import { operation, pagesOf } from "./operation.ts";
import { createdAgainAt } from "./undo.ts";

const tagCommit = serverRecord("a reference to a commit", { sha: string, created: optional(time) }, { url: string });

/** A tag. `message` is that of an annotated tag, or else of its commit; `id` is the tag object or the commit. */
export const tag = serverRecord(
  "a tag",
  { name: string, message: optional(string), id: optional(string), commit: optional(nullable(tagCommit)) },
  { zipball_url: string, tarball_url: string, archive_download_count: optional(anything) },
);

export type Tag = Infer<typeof tag>;

/** The protection of the tags whose names match a pattern: a glob, or a regular expression between slashes. */
export const tagProtection = serverRecord(
  "a tag protection",
  {
    id: integer,
    name_pattern: string,
    whitelist_usernames: optional(nullable(list(string))),
    whitelist_teams: optional(nullable(list(string))),
    updated_at: optional(time),
  },
  { created_at: optional(time) },
);

export type TagProtection = Infer<typeof tagProtection>;

const missing = "Tag {tag}";

export const tagList = operation("GET", "/repos/{owner}/{repo}/tags", { answers: pagesOf(tag, { unique: "name" }) });

/** The slashes of a name are escaped: servers do not know the path otherwise. */
export const tagGet = operation("GET", "/repos/{owner}/{repo}/tags/{tag}", { answers: tag, missing });

/** With a message the tag is annotated. Without a target it is that of the default branch. */
export const tagCreate = operation("POST", "/repos/{owner}/{repo}/tags", {
  answers: tag,
  applied: { reads: { tag_name: ({ name }) => name }, except: { target: "the tag has the commit of it" } },
});

/** 409 while a release has the tag. */
export const tagDelete = operation("DELETE", "/repos/{owner}/{repo}/tags/{tag}", {
  answers: nothing,
  missing,
  undo: createdAgainAt("the same commit"),
  replaces: {
    at: "/repos/{owner}/{repo}/tags/{tag}",
    why(before) {
      const { commit } = (before ?? {}) as { readonly commit?: { readonly sha?: string } | null };
      return commit?.sha && createdAgainAt(commit.sha);
    },
  },
});

const missingProtection = "Tag protection {id}";

/** All in one page. */
export const tagProtectionList = operation("GET", "/repos/{owner}/{repo}/tag_protections", {
  answers: pagesOf(tagProtection, { unpaged: true }),
});

export const tagProtectionGet = operation("GET", "/repos/{owner}/{repo}/tag_protections/{id}", {
  answers: tagProtection,
  missing: missingProtection,
});

/** docs/server-differences.md, "Branches and tags". */
const teamsHint = (ignored: readonly IgnoredField[]) =>
  ignored.some(({ name }) => name === "whitelist_teams")
    ? "Check that the teams exist in the organization that owns the repository."
    : "Check that the users can write to the repository.";

/** Others than writers can be listed, but not push. */
export const tagLists: ListsOfWriters = { users: ["whitelist_usernames"], teams: [] };

export const tagProtectionCreate = operation("POST", "/repos/{owner}/{repo}/tag_protections", {
  answers: tagProtection,
  undo: { by: "delete", key: "id" },
  applied: { hint: teamsHint },
});

export const tagProtectionEdit = operation("PATCH", "/repos/{owner}/{repo}/tag_protections/{id}", {
  answers: tagProtection,
  missing: missingProtection,
  applied: { hint: teamsHint },
});

/**
 * The first protection of a tag: its pattern is a glob, or a regular expression between slashes, which protects nothing if it
 * takes too long to match. Throws the signal's reason when it aborts.
 */
export async function protectionOfTag(
  rules: readonly TagProtection[],
  tag: string,
  signal: AbortSignal,
): Promise<TagProtection | undefined> {
  for (const rule of rules) {
    const expression = expressionOf(rule.name_pattern);
    const fits =
      expression === undefined
        ? contextPattern(rule.name_pattern)(tag)
        : (await matchForeign(expression, "u", [tag], signal))?.[0];
    if (fits === true) return rule;
  }
  return undefined;
}

/** The regular expression that a pattern has between slashes; undefined if it is a glob. */
export function expressionOf(pattern: string): string | undefined {
  return /^\/(.*)\/$/s.exec(pattern)?.[1];
}

export const tagProtectionDelete = operation("DELETE", "/repos/{owner}/{repo}/tag_protections/{id}", {
  answers: nothing,
  missing: missingProtection,
  undo: { by: "create" },
});
