import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";

const tagCommit = serverRecord("a reference to a commit", { url: string, sha: string, created: optional(time) }, [
  "sha",
  "created",
]);

/** A tag. `message` is that of an annotated tag, or else of its commit; `id` is the tag object or the commit. */
export const tag = serverRecord(
  "a tag",
  {
    name: string,
    message: optional(string),
    id: optional(string),
    commit: optional(nullable(tagCommit)),
    zipball_url: string,
    tarball_url: string,
    archive_download_count: optional(anything),
  },
  ["name", "message", "id", "commit"],
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
    created_at: optional(time),
    updated_at: optional(time),
  },
  ["id", "name_pattern", "whitelist_usernames", "whitelist_teams", "updated_at"],
);

export type TagProtection = Infer<typeof tagProtection>;

/** The settings of a tag protection. */
export interface TagProtectionOption {
  readonly name_pattern?: string | undefined;
  readonly whitelist_usernames?: readonly string[] | undefined;
  readonly whitelist_teams?: readonly string[] | undefined;
}

/** Tags. The slashes of a name are escaped: servers do not know the path otherwise. */
export function tagsApi(http: Http) {
  return {
    list: (repo: RepoName) => http.list(path`/repos/${repo.owner}/${repo.name}/tags`, { items: tag, unique: "name" }),

    get: (repo: RepoName, name: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/tags/${name}`, { answers: json(tag) }),

    /** With a message the tag is annotated. Without a target it is that of the default branch. */
    create: (
      repo: RepoName,
      body: { readonly tag_name: string; readonly target?: string | undefined; readonly message?: string | undefined },
    ) => http.post(path`/repos/${repo.owner}/${repo.name}/tags`, { body, answers: json(tag) }),

    /** 409 while a release has the tag. */
    delete: (repo: RepoName, name: string) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/tags/${name}`, { answers: nothing }),
  };
}

/** Tag protections, all in one page. */
export function tagProtectionsApi(http: Http) {
  const since = "1.23 and Forgejo 8.0";
  const all = ({ owner, name }: RepoName) => path`/repos/${owner}/${name}/tag_protections`;
  const one = ({ owner, name }: RepoName, id: number) => path`/repos/${owner}/${name}/tag_protections/${id}`;
  const answers = json(tagProtection);
  return {
    list: (repo: RepoName) => http.list(all(repo), { items: tagProtection, unpaged: true, since }),

    get: (repo: RepoName, id: number) => http.get(one(repo, id), { answers, since }),

    create: (repo: RepoName, body: TagProtectionOption) => http.post(all(repo), { body, answers, since }),

    edit: (repo: RepoName, id: number, body: TagProtectionOption) =>
      http.patch(one(repo, id), { body, answers, since }),

    delete: (repo: RepoName, id: number) => http.delete(one(repo, id), { answers: nothing, since }),
  };
}
