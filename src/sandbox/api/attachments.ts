import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  attachmentDownload,
  commentAttachmentCreate,
  commentAttachmentDelete,
  commentAttachmentEdit,
  commentAttachmentList,
  issueAttachmentCreate,
  issueAttachmentDelete,
  issueAttachmentEdit,
  issueAttachmentList,
} from "../../forge/attachments.ts";
import { releaseAssetCreate, releaseAssetDelete } from "../../forge/releases.ts";
import { accessTo } from "../http/access.ts";
import { collection } from "../http/collection.ts";
import { contentDisposition, fail, found, notFound, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, other, page, route, type Served } from "../http/route.ts";
import { attachmentJson, attachmentsOf } from "../serializers/issues.ts";
import { assetJson, assetsOf } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import { issueAt } from "../state/issues.ts";
import type { AttachmentRecord } from "../state/records/issues.ts";
import type { AssetRecord, ReleaseRecord, StoredFile } from "../state/records/repos.ts";
import { findComment } from "./issue-comments.ts";
import { findIssue, hasAccess, issueNotFound, reading, writing } from "./issues.ts";
import { findRelease, writing as writingReleases } from "./releases.ts";

type Reading = Call<typeof reading>;

/** The files of an issue, a comment or a release. */
interface Files<T extends StoredFile> {
  readonly all: readonly T[];
  readonly serialize: (file: T) => unknown;
  /** The record of an uploaded file. */
  readonly make: (file: StoredFile) => T;
  /** Throws where the caller may not write them. */
  readonly own?: () => void;
}

interface Operations {
  readonly list: Served;
  readonly create: Served;
  readonly get: Served;
  readonly edit: Served<{ readonly name?: string | undefined }>;
  readonly remove: Served;
}

/** The files of issues, comments and releases. Their content is kept in a folder of the sandbox, by UUID. */
export const attachments: Area = [
  filesOf("attachments", (call) => ofIssue(call), writing, {
    list: issueAttachmentList,
    create: issueAttachmentCreate,
    get: other("GET /repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}"),
    edit: issueAttachmentEdit,
    remove: issueAttachmentDelete,
  }),
  filesOf("attachments", (call) => ofIssue(call, findComment(call).id), writing, {
    list: commentAttachmentList,
    create: commentAttachmentCreate,
    get: other("GET /repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}"),
    edit: commentAttachmentEdit,
    remove: commentAttachmentDelete,
  }),
  filesOf("releaseAssets", ofRelease, writingReleases, {
    list: other("GET /repos/{owner}/{repo}/releases/{id}/assets"),
    create: releaseAssetCreate,
    get: other("GET /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}"),
    edit: other("PATCH /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}"),
    remove: releaseAssetDelete,
  }),
  route(attachmentDownload, {}, byUuid),
  route(page("GET /{owner}/{repo}/releases/download/{tag}/{name}"), reading, (call) => {
    const [tag, name] = [call.param("tag"), call.param("name")];
    const release = call.table("releases").find((one) => one.repoId === call.repo.id && one.tag_name === tag);
    return download(call, (asset) => asset.releaseId === release?.id && asset.name === name);
  }),
];

function filesOf<T extends StoredFile>(
  table: "attachments" | "releaseAssets",
  filesAt: (call: Reading) => Files<T>,
  write: typeof writing | typeof writingReleases,
  { list, create, get, edit, remove }: Operations,
) {
  const put = (call: Call, file: T): T => {
    call.table(table).put(file as StoredFile as AssetRecord & AttachmentRecord);
    return file;
  };
  return collection({
    table,
    needs: { read: reading, write },
    get,
    list: [list, (call) => filesAt(call).all],
    headers: "all",
    find(call) {
      const [{ all, own }, id] = [filesAt(call), call.number("attachment_id")];
      if (call.method !== "GET") own?.();
      const missing = table === "attachments" ? `attachment does not exist [id: ${id}, uuid: ]` : undefined;
      const file = all.find((one) => one.id === id);
      return found(file, missing);
    },
    create: [
      create,
      async (call) => {
        const { make, own } = filesAt(call);
        own?.();
        // Only releases take a file that is no form.
        if (table === "attachments" && !isForm(call)) fail("");
        return put(call, make(await saveUpload(call)));
      },
    ],
    edit: [edit, (call, file, { name }) => put(call, { ...file, name: name || file.name })],
    // The status is that of a creation.
    edited: 201,
    remove: [remove],
    serialize: (call, file) => filesAt(call).serialize(file),
  });
}

function ofIssue(call: Reading, commentId: number | null = null): Files<AttachmentRecord> {
  const comment = commentId === null ? undefined : findComment(call);
  const issue = found(
    comment ? issueAt(call.site.store, comment.repoId, comment.index) : findIssue(call, issueNotFound(call)),
  );
  const isPoster = (comment ?? issue).posterId === call.currentUser?.id;
  const { repoId, index } = issue;
  const at = { repoId, index, commentId };
  return {
    all: attachmentsOf(call, at),
    serialize: (file) => attachmentJson(call, file),
    make: (file) => ({ ...at, ...file }),
    own() {
      if (isPoster || hasAccess(call, issue, "write")) return;
      refuse(403, `user should have permission to ${comment ? "edit comment" : "write issue"}`);
    },
  };
}

function ofRelease(call: Reading): Files<AssetRecord> {
  const release: ReleaseRecord = findRelease(call);
  return {
    all: assetsOf(call.site, release.id),
    serialize: (asset) => assetJson(call, call.repo, release, asset),
    make: (file) => ({ ...file, releaseId: release.id }),
  };
}

const fileOf = ({ folder }: Site, uuid: string) => join(folder, "attachments", uuid);

/** Keeps the file of a request, and returns its record. */
async function saveUpload(call: Call): Promise<StoredFile> {
  const { site, query } = call;
  const { name: ownName, content } = await uploaded(call);
  const name = query.get("name") || ownName;
  if (name === "") refuse(400, "Could not determine name of attachment.");
  const uuid = randomUUID();
  await mkdir(join(site.folder, "attachments"), { recursive: true });
  await writeFile(fileOf(site, uuid), content);
  const id = site.store.nextId("attachments");
  return { id, name, size: content.length, download_count: 0, created_at: site.now(), uuid };
}

const isForm = ({ headers }: Call) => /^multipart\/form-data/i.test(headers["content-type"] ?? "");

/** The file of a form, in the field `attachment`, or the body as it is. */
async function uploaded(call: Call): Promise<{ readonly name: string; readonly content: Buffer }> {
  if (!isForm(call)) return { name: "", content: call.rawBody };
  const headers = { "content-type": call.headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(call.rawBody), { headers }).formData().catch(() => undefined);
  const file = form?.get("attachment");
  if (!(file instanceof File)) return fail("http: no such file");
  return { name: file.name, content: Buffer.from(await file.arrayBuffer()) };
}

/** The content of a file of a release. That of a draft is for those who can write. */
async function download(call: Call, fits: (asset: AssetRecord) => boolean) {
  const { site, currentUser } = call;
  const asset = found(site.table("releaseAssets").find(fits));
  const release = found(site.table("releases").get(asset.releaseId));
  const access = accessTo(site, currentUser, found(site.table("repos").get(release.repoId)));
  if (!access.visible || (release.draft && !access.atLeast("write"))) notFound();
  return contentReply(call, asset);
}

/** The content of a file by its UUID: of an issue or a comment, or of a release. */
async function byUuid(call: Call) {
  const { site, currentUser } = call;
  const file = site.table("attachments").find(({ uuid }) => uuid === call.param("uuid"));
  if (file === undefined) return download(call, ({ uuid }) => uuid === call.param("uuid"));
  if (!accessTo(site, currentUser, found(site.table("repos").get(file.repoId))).visible) notFound();
  return contentReply(call, file);
}

async function contentReply({ site, headers }: Call, asset: StoredFile) {
  const content = await readFile(fileOf(site, asset.uuid));
  const isText = !content.includes(0);
  const more = {
    "Content-Disposition": contentDisposition(isText ? "inline" : "attachment", asset.name),
    Etag: `"${asset.uuid}"`,
    "Last-Modified": new Date(asset.created_at).toUTCString(),
  };
  const type = isText ? "text/plain; charset=utf-8" : "application/octet-stream";
  return rangeReply(content, headers.range, type, more);
}
