import pMap from "p-map";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defaultJobs, type UploadFile } from "../../app/upload-files.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Release, type ReleaseAsset, releaseAssetCreate } from "../../forge/releases.ts";
import { DryRun } from "../../http/debug.ts";
import { fileUpload } from "../../http/file-upload.ts";
import { bars } from "../../output/bars.ts";
import { asFailure } from "../../output/report-failure.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";

/** What quotas count assets as. */
export const assetsSubject = "size:assets:attachments:releases";

/** A file that was not uploaded, and why. */
export interface FailedUpload {
  readonly file: UploadFile;
  readonly failure: Failure;
}

/** What became of the files. */
export interface Uploaded {
  readonly assets: readonly ReleaseAsset[];
  readonly failed: readonly FailedUpload[];
}

type UploadContext = Pick<BaseContext, "system" | "out" | "options"> & RepositoryContext;

/** Uploads files to a release, several at a time and with progress, and continues after a failure. */
export async function uploadAssets(
  { id }: Pick<Release, "id">,
  files: readonly UploadFile[],
  { http, repo, system, out, options }: UploadContext,
  jobs = defaultJobs,
): Promise<Uploaded> {
  const progress = await bars({ system, out, quiet: options.quiet });
  const upload = async (file: UploadFile): Promise<ReleaseAsset | FailedUpload> => {
    const bar = progress.add(file.name);
    const onProgress = (done: number) => bar.at(done, file.size);
    try {
      const asset = await call(http, releaseAssetCreate, { repo, id, name: file.name }, undefined, {
        raw: fileUpload("attachment", { ...file, onProgress }),
      });
      if (asset.size !== undefined && asset.size !== file.size) throw wrongSize(file, asset.size);
      return asset;
    } catch (error) {
      if (error instanceof DryRun || system.signal.aborted) throw error;
      return { file, failure: asFailure(error) };
    } finally {
      bar.end();
    }
  };
  const results = await pMap(files, upload, { concurrency: jobs });
  return {
    assets: results.flatMap((result) => ("failure" in result ? [] : [result])),
    failed: results.flatMap((result) => ("failure" in result ? [result] : [])),
  };
}

function wrongSize({ name, size }: UploadFile, stored: number): Failure {
  return new Failure("damaged", `The server stored ${stored} of ${size} bytes of ${name}`);
}

/** The command that uploads files to a release, for messages. */
export function uploadCommand(tag: string, files: readonly UploadFile[], repo: RepoName): string {
  return ["tongs release upload", ...[tag, ...files.map(({ typed }) => typed), "-R", fullName(repo)].map(quoted)].join(
    " ",
  );
}
