import {
  commentAttachmentCreate,
  commentAttachmentDelete,
  commentAttachmentEdit,
  commentAttachmentList,
  issueAttachmentCreate,
  issueAttachmentDelete,
  issueAttachmentEdit,
  issueAttachmentList,
} from "../../forge/attachments.ts";
import type { EditAttachmentOptions } from "../../forge/generated/operations.ts";
import { commentAttachmentGet, issueAttachmentGet } from "../http/other-operations.ts";
import { empty, fail, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { attachmentJson, attachmentsOf } from "../serializers/issues.ts";
import { issueAt } from "../state/issues.ts";
import type { AttachmentRecord, CommentRecord, IssueRecord } from "../state/records/issues.ts";
import { findComment } from "./issue-comments.ts";
import { findIssue, hasAccess, issueNotFound, reading, writing } from "./issue-shared.ts";
import { saveUpload } from "./release-assets.ts";

/** An issue or a comment, and its files. */
interface Holder {
  readonly at: Pick<AttachmentRecord, "repoId" | "index" | "commentId">;
  readonly noun: "issue" | "comment";
  /** Whether the caller may write it. */
  readonly isOwn: boolean;
}

/** The files of issues, pull requests and comments. */
export const attachments: Area = {
  routes: [
    ...routesOf(issueHolder, {
      list: issueAttachmentList,
      get: issueAttachmentGet,
      create: issueAttachmentCreate,
      edit: issueAttachmentEdit,
      remove: issueAttachmentDelete,
    }),
    ...routesOf(commentHolder, {
      list: commentAttachmentList,
      get: commentAttachmentGet,
      create: commentAttachmentCreate,
      edit: commentAttachmentEdit,
      remove: commentAttachmentDelete,
    }),
  ],
};

interface Served {
  readonly list: typeof issueAttachmentList | typeof commentAttachmentList;
  readonly get: typeof issueAttachmentGet | typeof commentAttachmentGet;
  readonly create: typeof issueAttachmentCreate | typeof commentAttachmentCreate;
  readonly edit: typeof issueAttachmentEdit | typeof commentAttachmentEdit;
  readonly remove: typeof issueAttachmentDelete | typeof commentAttachmentDelete;
}

function routesOf(find: (call: Call<typeof reading>) => Holder, { list, get, create, edit, remove }: Served) {
  return [
    route(list, reading, (call) =>
      json(
        200,
        attachmentsOf(call, find(call).at).map((one) => attachmentJson(call, one)),
      ),
    ),
    route(get, reading, (call) => json(200, attachmentJson(call, fileOf(call, find(call))))),
    route(create, writing, async (call) => {
      const { at } = own(find(call));
      if (!/^multipart\/form-data/i.test(call.headers["content-type"] ?? "")) fail("");
      const made = call.table("attachments").put({ ...at, ...(await saveUpload(call)) });
      return json(201, attachmentJson(call, made));
    }),
    route(edit, writing, (call: Call<typeof writing, EditAttachmentOptions>) => {
      const file = fileOf(call, own(find(call)));
      const next = call.table("attachments").put({ ...file, name: call.body.name || file.name });
      return json(201, attachmentJson(call, next));
    }),
    route(remove, writing, (call) => {
      call.table("attachments").delete(fileOf(call, own(find(call))).id);
      return empty(204);
    }),
  ];
}

function issueHolder(call: Call<typeof reading>): Holder {
  const issue = findIssue(call, issueNotFound(call));
  return holder(call, "issue", issue, issue, null);
}

function commentHolder(call: Call<typeof reading>): Holder {
  const comment = findComment(call);
  return holder(call, "comment", issueAt(call.site.store, comment.repoId, comment.index), comment, comment.id);
}

function holder(
  call: Call<typeof reading>,
  noun: Holder["noun"],
  issue: IssueRecord | undefined,
  { repoId, index, posterId }: IssueRecord | CommentRecord,
  commentId: number | null,
): Holder {
  const isPoster = posterId === call.currentUser?.id;
  const canWrite = issue !== undefined && hasAccess(call, issue, "write");
  const isOwn =
    noun === "comment" && call.site.release.product === "gitea"
      ? canWrite && (isPoster || call.access.atLeast("admin"))
      : isPoster || canWrite;
  return { at: { repoId, index, commentId }, noun, isOwn };
}

function own(holder: Holder): Holder {
  const verb = holder.noun === "issue" ? "write" : "edit";
  return holder.isOwn ? holder : refuse(403, `user should have permission to ${verb} ${holder.noun}`);
}

/** The file of a path: also one of a comment, through its issue. */
function fileOf(call: Call<typeof reading>, { at, noun }: Holder): AttachmentRecord {
  const id = call.number("attachment_id");
  const file = call.table("attachments").get(id) ?? notFound(`attachment does not exist [id: ${id}, uuid: ]`);
  const isIn = file.repoId === at.repoId && file.index === at.index;
  const isOf = at.commentId === null || file.commentId === at.commentId;
  return isIn && isOf ? file : notFound(`no such attachment in ${noun}`);
}
