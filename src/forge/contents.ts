import { json, maxContentsSize } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";

/** An entry of a folder, or a file with its content (ContentsResponse); only the fields used here. */
export interface Content {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly encoding: string | null;
  readonly content: string | null;
}

/** Files and folders of a repository. */
export const contents = (http: Http) => {
  const root = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/contents`;
  return {
    /** The entries of a folder; an empty path is the root. */
    folder: (repo: RepoName, folder: string, ref: string) =>
      http.get(folder === "" ? root(repo) : wildcard(root(repo), folder), {
        query: { ref },
        answers: json<readonly Content[]>(),
      }),

    file: (repo: RepoName, file: string, ref: string) =>
      http.get(wildcard(root(repo), file), { query: { ref }, answers: json<Content>(maxContentsSize) }),
  };
};

/** The text of a file. */
export function contentText(file: Content): string {
  return file.encoding === "base64" ? Buffer.from(file.content ?? "", "base64").toString("utf8") : (file.content ?? "");
}
