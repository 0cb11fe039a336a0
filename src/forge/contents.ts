import { type Answer, json, maxContentsSize, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { mismatch } from "../shape/mismatch.ts";
import {
  anything,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
  using,
} from "../shape/shape.ts";

/** An entry of a folder, or a file with its content (ContentsResponse). */
export const content = serverRecord(
  "a file",
  {
    name: string,
    path: string,
    sha: optional(string),
    last_commit_sha: optional(string),
    last_committer_date: optional(time),
    last_author_date: optional(time),
    last_commit_message: optional(string),
    type: string,
    size: optional(integer),
    encoding: optional(nullable(string)),
    content: optional(nullable(string)),
    target: optional(nullable(string)),
    url: nullable(string),
    html_url: optional(nullable(string)),
    git_url: nullable(string),
    download_url: nullable(string),
    submodule_git_url: optional(nullable(string)),
    lfs_oid: optional(nullable(string)),
    lfs_size: optional(nullable(integer)),
    _links: nullable(anything),
  },
  [
    "name",
    "path",
    "sha",
    "last_committer_date",
    "last_commit_message",
    "type",
    "size",
    "encoding",
    "content",
    "target",
    "html_url",
    "submodule_git_url",
  ],
);

export type Content = Infer<typeof content>;

/** A file of several: null where the path does not exist. */
const severalFiles = json(
  list(nullable(using(content, "path", "type", "sha", "size", "encoding", "content", "target"))),
  maxContentsSize,
);

/** The entries of a folder, or one file (ContentsExtResponse). */
const extendedContents = serverRecord(
  "contents",
  { dir_contents: optional(nullable(list(content))), file_contents: optional(nullable(content)) },
  ["dir_contents", "file_contents"],
);

/** Files and folders of a repository. */
export function contentsApi(http: Http) {
  const root = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/contents`;
  const many = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/file-contents`;
  const since = "1.24";
  return {
    /** The entries of a folder; an empty path is the root. */
    folder: (repo: RepoName, folder: string, ref: string | undefined) =>
      http.get(folder === "" ? root(repo) : wildcard(root(repo), folder), {
        query: { ref },
        answers: json(list(content)),
      }),

    file: (repo: RepoName, file: string, ref: string | undefined) =>
      http.get(wildcard(root(repo), file), {
        query: { ref },
        answers: json(using(content, "encoding", "content"), maxContentsSize),
      }),

    /** The entries of the root. */
    root: (repo: RepoName, ref: string | undefined) =>
      http.get(root(repo), { query: { ref }, answers: json(list(content)) }),

    /** A file with its content, or the entries of a folder. */
    get: (repo: RepoName, where: string, ref: string | undefined) =>
      http.get(wildcard(root(repo), where), { query: { ref }, answers: fileOrFolder }),

    /**
     * Several files in one request, in order; null for a path that does not exist. The answer is shorter if the server
     * has a limit (docs/server-differences.md, "Commits and files").
     */
    several: (repo: RepoName, files: readonly string[], ref: string | undefined) =>
      http.get(many(repo), { query: { ref, body: JSON.stringify({ files }) }, answers: severalFiles, since }),

    /** The same with paths of any length, by a token that may write. */
    severalByPost: (repo: RepoName, files: readonly string[], ref: string | undefined) =>
      http.post(many(repo), { query: { ref }, body: { files }, answers: severalFiles, since }),

    /** The entries of a folder, or a file without its content, each with the commit that changed it last. */
    withCommits: (repo: RepoName, where: string, ref: string | undefined) => {
      const extended = `${path`/repos/${repo.owner}/${repo.name}`}/contents-ext` as Path;
      return http.get(where === "" ? extended : wildcard(extended, where), {
        query: { ref, includes: "commit_metadata,commit_message" },
        answers: json(extendedContents),
        since: "1.25",
      });
    },

    /** The bytes of a file. With an unknown ref, servers may answer with the default branch: check the ref before. */
    raw: (repo: RepoName, file: string, ref: string | undefined) =>
      http.get(below(repo, "raw", file), { query: { ref }, answers: stream }),

    /** As `raw`, but for a Git LFS pointer the file that it points to. */
    media: (repo: RepoName, file: string, ref: string | undefined) =>
      http.get(below(repo, "media", file), { query: { ref }, answers: stream }),
  };
}

function below(repo: RepoName, area: "raw" | "media", file: string): Path {
  return wildcard(`${path`/repos/${repo.owner}/${repo.name}`}/${area}` as Path, file);
}

const fileOrFolder: Answer<Content | readonly Content[]> = {
  ...json<Content | readonly Content[]>(undefined, maxContentsSize),
  mismatch: (value) => mismatch(Array.isArray(value) ? list(content) : content, value),
};

/** The text of a file. */
export function contentText(file: Pick<Content, "encoding" | "content">): string {
  return contentBytes(file)?.toString("utf8") ?? "";
}

/** The bytes of a file; undefined if the server left the content out, as it does for large files. */
export function contentBytes(file: Pick<Content, "encoding" | "content">): Buffer | undefined {
  if (file.content === null || file.content === undefined) return undefined;
  return Buffer.from(file.content, file.encoding === "base64" ? "base64" : "utf8");
}

/** What a Git LFS pointer says of the file that it stands for; undefined if the bytes are no pointer. */
export function lfsPointer(bytes: Buffer): { readonly oid: string; readonly size: number } | undefined {
  if (bytes.length > 1024) return undefined;
  const pointer =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d+)\n/;
  const [, oid, size] = pointer.exec(bytes.toString("latin1")) ?? [];
  return oid === undefined ? undefined : { oid, size: Number(size) };
}
