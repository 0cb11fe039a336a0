import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attachmentDownload } from "../../forge/attachments.ts";
import { releaseAssetCreate, releaseAssetDelete } from "../../forge/releases.ts";
import { accessTo } from "../http/access.ts";
import { collection } from "../http/collection.ts";
import { assetEdit, assetGet, assetList, assetPage } from "../http/other-operations.ts";
import { contentDisposition, fail, found, json, notFound, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { assetJson, assetsOf } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import type { AssetRecord, StoredFile } from "../state/records/repos.ts";
import { findRelease, reading, writing } from "./releases.ts";

/** The files of releases. Their content is kept in a folder of the sandbox, by UUID. */
export const releaseAssets: Area = {
  routes: [
    collection(
      "releaseAssets",
      { read: reading, write: writing },
      {
        get: assetGet,
        list: [assetList, (call) => assetsOf(call.site, findRelease(call).id)],
        headers: "all",
        remove: [releaseAssetDelete],
        serialize,
      },
    ),
    route(releaseAssetCreate, writing, upload),
    // The status is that of a creation.
    route(assetEdit, writing, (call) => {
      const asset = found(
        assetsOf(call.site, findRelease(call).id).find(({ id }) => id === call.number("attachment_id")),
      );
      const next = { ...asset, name: call.body.name || asset.name };
      return json(201, serialize(call, call.table("releaseAssets").put(next)));
    }),
    route(attachmentDownload, {}, byUuid),
    route(assetPage, reading, (call) => {
      const release = call
        .table("releases")
        .find(({ repoId, tag_name }) => repoId === call.repo.id && tag_name === call.param("tag"));
      return download(call, ({ releaseId, name }) => releaseId === release?.id && name === call.param("name"));
    }),
  ],
};

function serialize(call: Call<typeof reading>, asset: AssetRecord): Record<string, unknown> {
  return assetJson(call, call.repo, findRelease(call), asset);
}

const fileOf = ({ folder }: Site, uuid: string) => join(folder, "attachments", uuid);

async function upload(call: Call<typeof writing>) {
  const { site, repo } = call;
  const release = findRelease(call);
  const asset = { ...(await saveUpload(call)), releaseId: release.id };
  return json(201, assetJson(call, repo, release, site.table("releaseAssets").put(asset)));
}

/** Keeps the file of a request, and returns its record. */
export async function saveUpload(call: Call): Promise<StoredFile> {
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
