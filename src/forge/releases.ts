import { json, nothing, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type FileToUpload, fileUpload } from "../http/file-upload.ts";
import { path, webPath, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  listedRecord,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";
import { person } from "./users.ts";

/** A file of a release. Names need not be unique. */
export const releaseAsset = listedRecord(
  "a release asset",
  {
    id: integer,
    name: string,
    size: optional(integer),
    download_count: optional(integer),
    created_at: optional(time),
    uuid: optional(string),
    browser_download_url: optional(string),
    /** Only on Forgejo: `attachment`, or `external` for a file on another server. */
    type: optional(string),
  },
  ["id", "name", "size", "download_count", "created_at", "uuid", "browser_download_url", "type"],
);

export type ReleaseAsset = Infer<typeof releaseAsset>;

/** A release. A draft has no tag until it is published. */
export const release = serverRecord(
  "a release",
  {
    id: integer,
    tag_name: string,
    target_commitish: optional(string),
    name: optional(string),
    body: optional(string),
    url: string,
    html_url: optional(string),
    tarball_url: string,
    zipball_url: string,
    hide_archive_links: optional(boolean),
    upload_url: string,
    draft: optional(boolean),
    prerelease: optional(boolean),
    created_at: optional(time),
    published_at: optional(time),
    author: optional(nullable(person)),
    assets: optional(nullable(list(releaseAsset))),
    archive_download_count: optional(anything),
  },
  [
    "id",
    "tag_name",
    "target_commitish",
    "name",
    "body",
    "html_url",
    "draft",
    "prerelease",
    "created_at",
    "published_at",
    "author",
    "assets",
  ],
);

export type Release = Infer<typeof release>;

/** The settings of a release. On editing, empty texts are ignored (docs/server-differences.md, "Releases"). */
export interface ReleaseOption {
  readonly tag_name?: string | undefined;
  readonly target_commitish?: string | undefined;
  readonly name?: string | undefined;
  readonly body?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly prerelease?: boolean | undefined;
  readonly hide_archive_links?: boolean | undefined;
}

/** Releases. */
export function releasesApi(http: Http) {
  const one = (repo: RepoName, id: number) => path`/repos/${repo.owner}/${repo.name}/releases/${id}`;

  return {
    /** Newest first; drafts only for users who can write. */
    list: (
      repo: RepoName,
      filters: { readonly draft?: boolean | undefined; readonly prerelease?: boolean | undefined },
    ) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/releases`, {
        items: release,
        query: { draft: filters.draft, "pre-release": filters.prerelease },
        unique: "id",
      }),

    /** The newest release that is neither a draft nor a prerelease. */
    latest: (repo: RepoName) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/releases/latest`, { answers: json(release) }),

    /** The release of a tag, drafts included for users who can write. */
    byTag: (repo: RepoName, tag: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/releases/tags/${tag}`, { answers: json(release) }),

    create: (repo: RepoName, body: ReleaseOption & { readonly tag_name: string }) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/releases`, { body, answers: json(release) }),

    edit: (repo: RepoName, id: number, body: ReleaseOption) =>
      http.patch(one(repo, id), { body, answers: json(release) }),

    /** The tag stays. */
    delete: (repo: RepoName, id: number) => http.delete(one(repo, id), { answers: nothing }),
  };
}

/** The files of releases. */
export function releaseAssetsApi(http: Http) {
  return {
    upload: (repo: RepoName, id: number, name: string, file: FileToUpload) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/releases/${id}/assets`, {
        query: { name },
        raw: fileUpload("attachment", file),
        answers: json(releaseAsset),
      }),

    delete: (repo: RepoName, id: number, asset: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/releases/${id}/assets/${asset}`, { answers: nothing }),

    /** The content of a file by its UUID, which servers have at the same address for drafts and published releases. */
    download: (uuid: string, headers: Readonly<Record<string, string>>) =>
      http.get(webPath`/attachments/${uuid}`, { answers: stream, headers }),

    /** The source code at a tag, `zip` or `tar.gz`. */
    archive: (repo: RepoName, tag: string, format: "zip" | "tar.gz", headers: Readonly<Record<string, string>>) =>
      http.get(wildcard(path`/repos/${repo.owner}/${repo.name}/archive`, `${tag}.${format}`), {
        answers: stream,
        headers,
      }),
  };
}
