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
import {
  assetEdit,
  assetGet,
  assetList,
  assetPage,
  commentAttachmentGet,
  issueAttachmentGet,
} from "../http/other-operations.ts";
import { contentDisposition, empty, fail, found, json, listed, notFound, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, type Needs, route, type Served } from "../http/route.ts";
import { attachmentJson, attachmentsOf } from "../serializers/issues.ts";
import { assetJson, assetsOf } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import { issueAt } from "../state/issues.ts";
import type { AttachmentRecord } from "../state/records/issues.ts";
import type { AssetRecord, ReleaseRecord, StoredFile } from "../state/records/repos.ts";
import { findComment } from "./issue-comments.ts";
import { findIssue, hasAccess, issueNotFound, reading, writing } from "./issue-shared.ts";
import { findRelease, writing as writingReleases } from "./releases.ts";

type Reading = Call<typeof reading>;

/** The files of an issue, a comment or a release. */
interface Files<T extends StoredFile> {
  readonly all: readonly T[];
  readonly table: "attachments" | "releaseAssets";
  readonly serialize: (file: T) => unknown;
  /** The record of an uploaded file. */
  readonly make: (file: StoredFile) => T;
  /** Throws where the caller may not write them. */
  readonly own: () => void;
}

interface Operations {
  readonly list: Served;
  readonly create: Served;
  readonly get?: Served;
  readonly edit?: Served<{ readonly name?: string | undefined }>;
  readonly remove?: Served;
}

/** The files of issues, comments and releases. Their content is kept in a folder of the sandbox, by UUID. */
export const attachments: Area = {
  routes: [
    filesOf((call) => ofIssue(call), writing, {
      list: issueAttachmentList,
      create: issueAttachmentCreate,
      get: issueAttachmentGet,
      edit: issueAttachmentEdit,
      remove: issueAttachmentDelete,
    }),
    filesOf((call) => ofIssue(call, findComment(call).id), writing, {
      list: commentAttachmentList,
      create: commentAttachmentCreate,
      get: commentAttachmentGet,
      edit: commentAttachmentEdit,
      remove: commentAttachmentDelete,
    }),
    filesOf(ofRelease, writingReleases, {
      list: assetList,
      create: releaseAssetCreate,
      get: assetGet,
      edit: assetEdit,
      remove: releaseAssetDelete,
    }),
    route(attachmentDownload, {}, byUuid),
    route(assetPage, reading, (call) => {
      const [tag, name] = [call.param("tag"), call.param("name")];
      const release = call.table("releases").find((one) => one.repoId === call.repo.id && one.tag_name === tag);
      return download(call, (asset) => asset.releaseId === release?.id && asset.name === name);
    }),
  ],
};

function filesOf<T extends StoredFile>(
  filesAt: (call: Reading) => Files<T>,
  write: Needs,
  { list, create, get, edit, remove }: Operations,
) {
  const fileAt = (call: Call) => {
    const [files, id] = [filesAt(call as Reading), call.number("attachment_id")];
    if (call.method !== "GET") files.own();
    const missing = files.table === "attachments" ? `attachment does not exist [id: ${id}, uuid: ]` : undefined;
    return {
      files,
      file: found(
        files.all.find((one) => one.id === id),
        missing,
      ),
    };
  };
  return [
    ...route(list, reading, (call) => {
      const { all, serialize } = filesAt(call);
      return listed(call, all, (_call, file) => serialize(file));
    }),
    ...route(create, write, async (call) => {
      const { table, serialize, make, own } = filesAt(call as unknown as Reading);
      own();
      // Only releases take a file that is no form.
      if (table === "attachments" && !/^multipart\/form-data/i.test(call.headers["content-type"] ?? "")) fail("");
      const made = make(await saveUpload(call));
      call.table(table).put(made as StoredFile as AssetRecord & AttachmentRecord);
      return json(201, serialize(made));
    }),
    ...(get === undefined
      ? []
      : route(get, reading, (call) => {
          const { files, file } = fileAt(call);
          return json(200, files.serialize(file));
        })),
    ...(edit === undefined
      ? []
      : route(edit, write, (call) => {
          const { files, file } = fileAt(call);
          const next = { ...file, name: call.body.name || file.name };
          call.table(files.table).put(next as StoredFile as AssetRecord & AttachmentRecord);
          // The status is that of a creation.
          return json(201, files.serialize(next));
        })),
    ...(remove === undefined
      ? []
      : route(remove, write, (call) => {
          const { files, file } = fileAt(call);
          call.table(files.table).delete(file.id);
          return empty(204);
        })),
  ];
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
    table: "attachments",
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
    table: "releaseAssets",
    serialize: (asset) => assetJson(call, call.repo, release, asset),
    make: (file) => ({ ...file, releaseId: release.id }),
    own: () => undefined,
  };
}

const fileOf = ({ folder }: Site, uuid: string) => join(folder, "attachments", uuid);

/** Keeps the file of a request, and returns its record. */
async function saveUpload(call: Call): Promise<StoredFile> {
  const { site, query } = call;
  const { name: ownName, content } = uploaded(call);
  const name = query.get("name") || ownName;
  if (name === "") refuse(400, "Could not determine name of attachment.");
  const uuid = randomUUID();
  await mkdir(join(site.folder, "attachments"), { recursive: true });
  await writeFile(fileOf(site, uuid), content);
  const id = site.store.nextId("attachments");
  return { id, name, size: content.length, download_count: 0, created_at: site.now(), uuid };
}

/** The file of a form, in the field `attachment`, or the body as it is. */
function uploaded({ headers, rawBody }: Call): { readonly name: string; readonly content: Buffer } {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return { name: "", content: rawBody };
  const head = rawBody.indexOf("\r\n\r\n");
  const tail = rawBody.lastIndexOf(`\r\n--${boundary}--`);
  const disposition = rawBody.subarray(0, Math.max(head, 0)).toString("utf8");
  const field = / name="([^"]*)"/.exec(disposition)?.[1];
  if (head < 0 || tail < head || field !== "attachment") fail("http: no such file");
  const name = / filename="([^"]*)"/.exec(disposition)?.[1] ?? "";
  return { name, content: rawBody.subarray(head + 4, tail) };
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
  return rangeReply(content, headers.range, type, more, { message: "invalid start range", size: false });
}
