import { stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type FileToUpload, fileUpload } from "../http/file-upload.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, listedRecord, optional, string, time } from "../shape/shape.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { releaseOf } from "./support.ts";
import { undoCreate } from "./undo.ts";

/** A file attached to an issue, a pull request or a comment; `size` is in bytes. */
export const attachment = listedRecord(
  "an attachment",
  {
    id: integer,
    name: string,
    size: optional(integer),
    created_at: optional(time),
    uuid: string,
    /** It can have another host than the server's address; tongs builds its own. */
    browser_download_url: optional(string),
  },
  { download_count: integer, type: optional(string) },
);

export type Attachment = Infer<typeof attachment>;

/** What files are attached to: an issue or pull request by number, or a comment by id. */
export interface Attached {
  readonly of: "issue" | "comment";
  readonly repo: RepoName;
  readonly id: number;
}

/** All of them: there are no pages. */
export const issueAttachmentList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/assets", {
  answers: pagesOf(attachment, { unpaged: true }),
});

export const commentAttachmentList = operation("GET", "/repos/{owner}/{repo}/issues/comments/{id}/assets", {
  answers: pagesOf(attachment, { unpaged: true }),
});

/** The servers check the type of the file by `name`. */
export const issueAttachmentCreate = operation("POST", "/repos/{owner}/{repo}/issues/{index}/assets", {
  answers: attachment,
  undo: undoCreate(),
});

export const commentAttachmentCreate = operation("POST", "/repos/{owner}/{repo}/issues/comments/{id}/assets", {
  answers: attachment,
  undo: undoCreate(),
});

export const issueAttachmentEdit = operation("PATCH", "/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}", {
  answers: attachment,
});

export const commentAttachmentEdit = operation(
  "PATCH",
  "/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}",
  { answers: attachment },
);

export const issueAttachmentDelete = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}");

export const commentAttachmentDelete = operation(
  "DELETE",
  "/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}",
);

/**
 * Downloads a file of an issue, a comment or a release from the web page of the server, which takes tokens, too. Servers have
 * drafts and published releases at the same address.
 */
export const attachmentDownload = operation("GET", "/attachments/{uuid}", { answers: stream, web: true });

/** The attachments of an issue or a comment. */
export function listAttachments(http: Http, { of, repo, id }: Attached) {
  return of === "issue"
    ? call(http, issueAttachmentList, { repo, index: id })
    : call(http, commentAttachmentList, { repo, id });
}

/** Attaches a file to an issue or a comment. */
export function uploadAttachment(http: Http, { of, repo, id }: Attached, name: string, file: FileToUpload) {
  const extras = { raw: fileUpload("attachment", file) };
  return of === "issue"
    ? call(http, issueAttachmentCreate, { repo, index: id, name }, undefined, extras)
    : call(http, commentAttachmentCreate, { repo, id, name }, undefined, extras);
}

export function renameAttachment(http: Http, { of, repo, id }: Attached, attachment_id: number, name: string) {
  return of === "issue"
    ? call(http, issueAttachmentEdit, { repo, index: id, attachment_id }, { name })
    : call(http, commentAttachmentEdit, { repo, id, attachment_id }, { name });
}

export function deleteAttachment(http: Http, { of, repo, id }: Attached, attachment_id: number) {
  return of === "issue"
    ? call(http, issueAttachmentDelete, { repo, index: id, attachment_id })
    : call(http, commentAttachmentDelete, { repo, id, attachment_id });
}

/** Whether the API keeps `max_size`, which Forgejo leaves to its web page (docs/server-differences.md, "Issues"). */
export async function keepsAttachmentSize(http: Http): Promise<boolean> {
  return releaseOf((await http.version()) ?? "")?.product !== "forgejo";
}

/** Who may attach files to a comment: Gitea wants write access from its author, too (docs/server-differences.md, "Issues"). */
export async function attachesToComments(http: Http): Promise<"authors" | "writers" | undefined> {
  const product = releaseOf((await http.version()) ?? "")?.product;
  return product && (product === "forgejo" ? "authors" : "writers");
}
