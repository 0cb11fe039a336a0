import { stat } from "node:fs/promises";
import { basename } from "node:path";
import pMap from "p-map";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { diskFailure } from "../../failure/disk.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { type Release, type ReleaseAsset, releaseAssetCreate } from "../../forge/releases.ts";
import { DryRun } from "../../http/debug.ts";
import { fileUpload } from "../../http/file-upload.ts";
import { bars } from "../../output/bars.ts";
import { asFailure } from "../../output/report-failure.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { quoted } from "../../text/words.ts";

/** A local file, and the name of the asset that it becomes. */
export interface AssetFile {
  /** As it was typed: `FILE` or `FILE#NAME`. */
  readonly typed: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

/** How many files are uploaded at the same time by default. */
export const defaultJobs = 4;

/**
 * Looks up the files to upload, given as `FILE` or `FILE#NAME`. Throws a usage error, before anything is sent, if one does
 * not exist or is not a file, or if two have the same name.
 */
export async function readAssetFiles(typed: readonly string[], system: BaseContext["system"]): Promise<AssetFile[]> {
  const files = await Promise.all(typed.map((one) => assetFile(one, system)));
  const seen = new Set<string>();
  for (const { name } of files) {
    if (seen.has(name)) throw new UsageError(`Several files have the name '${name}'`, "Rename one with FILE#NAME.");
    seen.add(name);
  }
  return files;
}

async function assetFile(typed: string, system: Place): Promise<AssetFile> {
  const whole = await sizeOf(fullPath(typed, system));
  if (typeof whole === "number") return { typed, path: fullPath(typed, system), name: basename(typed), size: whole };
  const at = typed.lastIndexOf("#");
  const named = at > 0 && at < typed.length - 1 ? await sizeOf(fullPath(typed.slice(0, at), system)) : whole;
  if (typeof named !== "number") throw new UsageError(`Cannot upload ${typed}: ${named}`);
  return { typed, path: fullPath(typed.slice(0, at), system), name: typed.slice(at + 1), size: named };
}

/** The size of a file, or why it cannot be uploaded. */
async function sizeOf(path: string): Promise<number | string> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : "not a regular file";
  } catch (error) {
    const reason = diskFailure(error, path)?.message.replace(/^.*: /, "");
    if (reason === undefined) throw error;
    return reason;
  }
}

/** A file that was not uploaded, and why. */
export interface FailedUpload {
  readonly file: AssetFile;
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
  files: readonly AssetFile[],
  { http, repo, system, out, options }: UploadContext,
  jobs = defaultJobs,
): Promise<Uploaded> {
  const progress = await bars({ system, out, quiet: options.quiet });
  const upload = async (file: AssetFile): Promise<ReleaseAsset | FailedUpload> => {
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

function wrongSize({ name, size }: AssetFile, stored: number): Failure {
  return new Failure("damaged", `The server stored ${stored} of ${size} bytes of ${name}`);
}

/** The command that uploads files to a release, for messages. */
export function uploadCommand(tag: string, files: readonly AssetFile[], repo: RepoName): string {
  return ["tongs release upload", ...[tag, ...files.map(({ typed }) => typed), "-R", fullName(repo)].map(quoted)].join(
    " ",
  );
}
