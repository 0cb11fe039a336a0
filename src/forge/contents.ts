import { type Answer, json, maxContentsSize, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { readAs } from "../shape/read-as.ts";
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
import { utf8Text } from "../text/utf8.ts";
import { call, operation } from "./operation.ts";

/** An entry of a folder, or a file with its content (ContentsResponse). */
export const content = serverRecord(
  "a file",
  {
    name: string,
    path: string,
    sha: optional(string),
    last_committer_date: optional(time),
    last_commit_message: optional(string),
    type: string,
    size: optional(integer),
    encoding: optional(nullable(string)),
    content: optional(nullable(string)),
    target: optional(nullable(string)),
    html_url: optional(nullable(string)),
    submodule_git_url: optional(nullable(string)),
  },
  {
    last_commit_sha: optional(string),
    last_author_date: optional(time),
    url: nullable(string),
    git_url: nullable(string),
    download_url: nullable(string),
    lfs_oid: optional(nullable(string)),
    lfs_size: optional(nullable(integer)),
    _links: nullable(anything),
  },
);

export type Content = Infer<typeof content>;

/** A file of several: null where the path does not exist. */
const severalFiles = json(
  list(nullable(using(content, "path", "type", "sha", "size", "encoding", "content", "target"))),
  maxContentsSize,
);

/** The entries of a folder, or one file (ContentsExtResponse). */
const extendedContents = serverRecord("contents", {
  dir_contents: optional(nullable(list(content))),
  file_contents: optional(nullable(content)),
});

const fileOrFolder: Answer<Content | readonly Content[]> = {
  ...json<Content | readonly Content[]>(undefined, maxContentsSize),
  read: (value, _path, report) => readAs(Array.isArray(value) ? list(content) : content, value, report),
};

/** The entries of the root. */
export const rootGet = operation("GET", "/repos/{owner}/{repo}/contents", { answers: list(content) });

/** The entries of a folder. */
export const folderGet = operation("GET", "/repos/{owner}/{repo}/contents/{filepath}", { answers: list(content) });

export const fileGet = operation("GET", "/repos/{owner}/{repo}/contents/{filepath}", {
  answers: json(using(content, "encoding", "content"), maxContentsSize),
});

/** A file with its content, or the entries of a folder. */
export const contentsGet = operation("GET", "/repos/{owner}/{repo}/contents/{filepath}", { answers: fileOrFolder });

/**
 * Several files in one request, in order; null for a path that does not exist. The answer is shorter if the server has a
 * limit (docs/server-differences.md, "Commits and files"). `body` is JSON.
 */
export const severalContentsGet = operation("GET", "/repos/{owner}/{repo}/file-contents", { answers: severalFiles });

/** The same with paths of any length, by a token that may write. */
export const contentsPost = operation("POST", "/repos/{owner}/{repo}/file-contents", {
  answers: severalFiles,
  effect: "read",
});

/** The entries of a folder, or a file without its content, each with what `includes` names. */
export const extendedContentsGet = operation("GET", "/repos/{owner}/{repo}/contents-ext/{filepath}", {
  answers: extendedContents,
});

/** The same of the root. */
export const extendedRootGet = operation("GET", "/repos/{owner}/{repo}/contents-ext", { answers: extendedContents });

/** The bytes of a file. With an unknown ref, servers may answer with the default branch: check the ref before. */
export const rawFileGet = operation("GET", "/repos/{owner}/{repo}/raw/{filepath}", { answers: stream });

/** As `rawFileGet`, but for a Git LFS pointer the file that it points to. */
export const mediaFileGet = operation("GET", "/repos/{owner}/{repo}/media/{filepath}", { answers: stream });

/** The entries of a folder; an empty path is the root. */
export function readFolder(http: Http, repo: RepoName, folder: string, ref: string | undefined) {
  return folder === "" ? call(http, rootGet, { repo, ref }) : call(http, folderGet, { repo, filepath: folder, ref });
}

/** The entries of a folder, or a file without its content, each with the commit that changed it last. */
export function contentsWithCommits(http: Http, repo: RepoName, where: string, ref: string | undefined) {
  const query = { ref, includes: "commit_metadata,commit_message" };
  return where === ""
    ? call(http, extendedRootGet, { repo, ...query })
    : call(http, extendedContentsGet, { repo, filepath: where, ...query });
}

/** The text of a file. */
export function contentText(file: Pick<Content, "encoding" | "content">): string {
  return utf8Text(contentBytes(file) ?? Buffer.alloc(0));
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
