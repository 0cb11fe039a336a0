import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defaultJobs, type FailedUpload, findUploaded, type UploadFile, uploadFiles } from "../../app/upload-files.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Release, type ReleaseAsset, releaseAssetCreate, releaseGetByTag } from "../../forge/releases.ts";
import { type FileToUpload, fileUpload } from "../../http/file-upload.ts";
import { commandIn } from "../../profiles/server.ts";
import { joinWords } from "../../text/words.ts";
import { assetsOf } from "./find-release.ts";

/** What quotas count assets as. */
export const assetsSubject = "size:assets:attachments:releases";

/** What became of the files. */
export interface Uploaded {
  readonly assets: readonly ReleaseAsset[];
  readonly failed: readonly FailedUpload[];
}

type UploadContext = Pick<BaseContext, "system" | "out" | "options"> & RepositoryContext;

/** Uploads files to a release, several at a time and with progress, and continues after a failure. */
export async function uploadAssets(
  release: Release,
  files: readonly UploadFile[],
  context: UploadContext,
  jobs = defaultJobs,
): Promise<Uploaded> {
  const { http, repo } = context;
  const { id, tag_name: tag } = release;
  const before = new Set(assetsOf(release).map((asset) => asset.id));
  const assets = new Map<UploadFile, ReleaseAsset>();
  const arrived = async () =>
    assetsOf(await call(http, releaseGetByTag, { repo, tag })).filter((asset) => !before.has(asset.id));
  const send = async (file: UploadFile, content: FileToUpload) => {
    const asset = await call(http, releaseAssetCreate, { repo, id, name: file.name }, undefined, {
      raw: fileUpload("attachment", content),
    }).catch((error: unknown) => findUploaded(file, error, arrived));
    if (asset.size !== undefined && asset.size !== file.size) throw wrongSize(file, asset.size);
    assets.set(file, asset);
  };
  const failed = await uploadFiles(files, send, context, jobs);
  return { assets: files.flatMap((file) => assets.get(file) ?? []), failed };
}

function wrongSize({ name, size }: UploadFile, stored: number): Failure {
  return new Failure("damaged", `The server stored ${stored} of ${size} bytes of ${name}`);
}

/** The command that uploads files to a release, for messages. */
export function uploadCommand(tag: string, files: readonly string[], context: RepositoryContext): string {
  return commandIn(context, joinWords(["tongs", "release", "upload", tag, ...files]));
}
