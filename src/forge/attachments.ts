import { json, nothing, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type FileToUpload, fileUpload } from "../http/file-upload.ts";
import { type Path, path, webPath } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, listedRecord, optional, string, time } from "../shape/shape.ts";

/** A file attached to an issue, a pull request or a comment; `size` is in bytes. */
export const attachment = listedRecord(
  "an attachment",
  {
    id: integer,
    name: string,
    size: optional(integer),
    download_count: integer,
    created_at: optional(time),
    uuid: string,
    /** It can have another host than the server's address; tongs builds its own. */
    browser_download_url: optional(string),
    type: optional(string),
  },
  ["id", "name", "size", "created_at", "uuid", "browser_download_url"],
);

export type Attachment = Infer<typeof attachment>;

/** What files are attached to: an issue or pull request by number, or a comment by id. */
export interface Attached {
  readonly of: "issue" | "comment";
  readonly repo: RepoName;
  readonly id: number;
}

/** Attachments of issues, pull requests and comments. Scope `issue`. */
export function attachmentsApi(http: Http) {
  const all = ({ of, repo, id }: Attached): Path =>
    of === "issue"
      ? path`/repos/${repo.owner}/${repo.name}/issues/${id}/assets`
      : path`/repos/${repo.owner}/${repo.name}/issues/comments/${id}/assets`;
  const one = ({ of, repo, id }: Attached, file: number): Path =>
    of === "issue"
      ? path`/repos/${repo.owner}/${repo.name}/issues/${id}/assets/${file}`
      : path`/repos/${repo.owner}/${repo.name}/issues/comments/${id}/assets/${file}`;
  return {
    /** All of them: there are no pages. */
    list: (target: Attached) => http.list(all(target), { items: attachment, unpaged: true }),

    get: (target: Attached, file: number) => http.get(one(target, file), { answers: json(attachment) }),

    /** The servers check the type of the file by this name. */
    upload: (target: Attached, name: string, file: FileToUpload) =>
      http.post(all(target), { query: { name }, raw: fileUpload("attachment", file), answers: json(attachment) }),

    rename: (target: Attached, file: number, name: string) =>
      http.patch(one(target, file), { body: { name }, answers: json(attachment) }),

    delete: (target: Attached, file: number) => http.delete(one(target, file), { answers: nothing }),

    /** Downloads a file from the web page of the server, which takes tokens, too. */
    download: ({ uuid }: Pick<Attachment, "uuid">, headers: Readonly<Record<string, string>>) =>
      http.get(webPath`/attachments/${uuid}`, { answers: stream, headers }),
  };
}
