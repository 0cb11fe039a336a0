import { basename, dirname, resolve } from "node:path";
import type { BatchItem } from "../../app/batch.ts";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { displayName } from "../../archive/archive-failure.ts";
import type { OnExisting } from "../../archive/move-into-place.ts";
import { type OpenSource, tooLarge } from "../../download/download.ts";
import { fileNameKey, fileNames } from "../../download/file-names.ts";
import { damaged, saveFile, wrongLength } from "../../download/save-file.ts";
import { Failure } from "../../failure/failure.ts";
import { attachmentDownload } from "../../forge/attachments.ts";
import { call } from "../../forge/operation.ts";
import { archiveGet, type ReleaseAsset } from "../../forge/releases.ts";
import type { Bars } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { fullPath, shownPath } from "../../system/files.ts";
import { sizeText } from "../../text/format.ts";

/** The default number of parallel downloads. */
export const defaultJobs = 4;

/** What to download: an asset, or the source code at a tag. */
export type Wanted =
  | { readonly asset: ReleaseAsset }
  | { readonly archive: "zip" | "tar.gz"; readonly tag: string; readonly name: string };

type FetchContext = Pick<BaseContext, "out" | "system" | "options"> & RepositoryContext;

/** The download of one file. */
export interface AssetJob {
  readonly wanted: Wanted;
  /** The name on the server. */
  readonly name: string;
  /** The target folder, as an absolute path. */
  readonly into: string;
  /** The name of the file, made safe and unique among the files of the command. */
  readonly fileName: string;
  readonly onExisting: OnExisting;
  readonly maxSize: number;
}

interface JobOptions {
  readonly into: string;
  /** The file for a single asset, instead of a name in the folder. */
  readonly output: string | undefined;
  readonly onExisting: OnExisting;
  readonly maxSize: number;
}

/** The downloads, each with a safe and unique file name. */
export function assetJobs(
  wanted: readonly Wanted[],
  { into, output, onExisting, maxSize }: JobOptions,
  { system }: Pick<FetchContext, "system">,
): AssetJob[] {
  const named = wanted.map((one, index) => ({
    wanted: one,
    id: "asset" in one ? one.asset.id : index,
    name: "asset" in one ? one.asset.name : one.name,
  }));
  const names = fileNames(named);
  const chosen = output === undefined ? undefined : fullPath(output, system);
  return named.map(({ wanted, id, name }) => ({
    wanted,
    name,
    onExisting,
    maxSize,
    into: chosen === undefined ? into : dirname(chosen),
    fileName: chosen === undefined ? (names.get(id) ?? String(id)) : basename(chosen),
  }));
}

/** Downloads one file into its folder. */
export async function fetchWanted(job: AssetJob, bars: Bars, from: string, context: FetchContext): Promise<BatchItem> {
  const { system, server, repo, options } = context;
  const { signal, sleep, random } = system;
  const { wanted, name, into, fileName, onExisting, maxSize } = job;
  const asset = "asset" in wanted ? wanted.asset : undefined;
  const size = sizeOf(wanted);
  const about = `${displayName(name)}${size === undefined ? "" : ` (${sizeText(size)})`} of ${from}`;
  if (options.dryRun) return { message: `Would download ${about} to ${shownPath(resolve(into, fileName), system)}` };
  const bar = bars.add(displayName(name));
  try {
    const identity = asset === undefined ? `source ${name}` : `asset ${asset.id} of ${asset.created_at}`;
    const source = `${addressText(server.base)} ${fullName(repo)} release ${identity}`;
    const file = {
      open: opener(wanted, context),
      into,
      fileName,
      key: fileNameKey(fileName),
      source,
      size,
      createdAt: asset?.created_at,
      onExisting,
    };
    const { path, existing } = await saveFile(file, {
      signal,
      sleep,
      random,
      maxBytes: maxSize,
      onProgress: bar.at,
    });
    const shown = shownPath(path, system);
    const message = existing ? `${shown} ${existing}` : `Downloaded ${about} to ${shown}`;
    return { message, prints: shown, record: { ...(asset ?? { name }), path } };
  } finally {
    bar.end();
  }
}

/** Prints one file of at most `maxSize` bytes on stdout, without a file. */
export async function printWanted(wanted: Wanted, maxSize: number, context: FetchContext): Promise<void> {
  const size = sizeOf(wanted);
  if (size !== undefined && size > maxSize) throw tooLarge(maxSize);
  const { body } = await opener(wanted, context)({});
  let received = 0;
  for await (const piece of body) {
    received += piece.length;
    if (received > maxSize) throw tooLarge(maxSize);
    await context.out.raw(piece);
  }
  const name = "asset" in wanted ? wanted.asset.name : wanted.name;
  if (size !== undefined && received !== size) {
    throw damaged(displayName(name), wrongLength(received, size), "Try again later. What was printed is not complete.");
  }
}

/** The size in bytes, if the server knows it. */
function sizeOf(wanted: Wanted): number | undefined {
  return "asset" in wanted && wanted.asset.type !== "external" ? wanted.asset.size : undefined;
}

function opener(wanted: Wanted, { http, repo }: RepositoryContext): OpenSource {
  if ("archive" in wanted)
    return (headers) =>
      call(http, archiveGet, { repo, archive: `${wanted.tag}.${wanted.archive}` }, undefined, { headers });
  const { uuid } = wanted.asset;
  if (uuid === undefined || uuid === "") {
    throw new Failure("broken_answer", `The server returned no UUID of ${wanted.asset.name}`);
  }
  return (headers) => call(http, attachmentDownload, { uuid }, undefined, { headers });
}
