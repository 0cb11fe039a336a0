import { json, maxContentsSize } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path, wildcard } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, list, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";

/** An entry of a folder, or a file with its content (ContentsResponse); only the fields used here. */
const content = serverRecord(
  "a file",
  {
    name: string,
    path: string,
    type: string,
    encoding: optional(nullable(string)),
    content: optional(nullable(string)),
  },
  ["name", "path", "type", "encoding", "content"],
);

export type Content = Infer<typeof content>;

/** Files and folders of a repository. */
export const contents = (http: Http) => {
  const root = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/contents`;
  return {
    /** The entries of a folder; an empty path is the root. */
    folder: (repo: RepoName, folder: string, ref: string) =>
      http.get(folder === "" ? root(repo) : wildcard(root(repo), folder), {
        query: { ref },
        answers: json(list(content)),
      }),

    file: (repo: RepoName, file: string, ref: string) =>
      http.get(wildcard(root(repo), file), {
        query: { ref },
        answers: json(using(content, "encoding", "content"), maxContentsSize),
      }),
  };
};

/** The text of a file. */
export function contentText(file: Pick<Content, "encoding" | "content">): string {
  return file.encoding === "base64" ? Buffer.from(file.content ?? "", "base64").toString("utf8") : (file.content ?? "");
}
