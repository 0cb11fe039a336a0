import { rename } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import { DamagedArchive, UnsafeArchive } from "../../archive/archive-failure.ts";
import { verifyArchive } from "../../archive/content.ts";
import type { Limits } from "../../archive/limits.ts";
import type { OnExisting } from "../../archive/move-into-place.ts";
import { pathExists, unpackArchive } from "../../archive/unpack.ts";
import { download, type OpenSource } from "../../download/download.ts";
import { fileNameKey } from "../../download/file-names.ts";
import { openPart, type Part } from "../../download/part.ts";
import { alreadyExists, moveToNew, withPathLock } from "../../download/save-file.ts";
import { openScratch, type Scratch } from "../../download/scratch.ts";
import type { Slot } from "../../download/semaphore.ts";
import { type Artifact, artifactDownload } from "../../forge/artifacts.ts";
import { call } from "../../forge/operation.ts";
import type { Bar } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import type { BaseContext, RepositoryContext } from "../context.ts";

export type FetchContext = Pick<BaseContext, "out" | "system" | "options"> & RepositoryContext;

/** How artifacts are downloaded. */
export interface FetchOptions {
  readonly dir: string;
  /** Save the archive instead of unpacking it. */
  readonly zip: boolean;
  readonly onExisting: OnExisting;
  readonly limits: Limits;
}

/** The resulting file or folder, and whether it existed already and was kept. */
export interface Fetched {
  readonly path: string;
  readonly isExisting: boolean;
}

/** The download of one artifact of a command. */
export interface ArtifactJob {
  readonly artifact: Artifact;
  /** The target folder, as an absolute path. */
  readonly into: string;
  /** The name for the file or folder of the artifact, unique among the artifacts of the command. */
  readonly fileName: string;
  /** Whether to unpack into a folder in `into` named after the artifact: the command downloads several. */
  readonly hasOwnFolder: boolean;
  readonly options: FetchOptions;
  readonly bar: Bar;
  /** Held while the file is downloaded. */
  readonly slot: Slot;
  readonly context: FetchContext;
}

/**
 * Downloads one artifact, checks it and moves it into place. Resumes an interrupted download. Throws a `busy` failure
 * while another process downloads to the same place.
 */
export function fetchArtifact(job: ArtifactJob): Promise<Fetched> {
  const { into, fileName, slot } = job;
  return withPathLock({ into, fileName, key: fileNameKey(fileName) }, () => fetchLocked(job).finally(slot.release));
}

async function fetchLocked(job: ArtifactJob): Promise<Fetched> {
  const { artifact, into, fileName, hasOwnFolder, options, context } = job;
  const path = options.zip ? join(into, `${fileName}.zip`) : hasOwnFolder ? join(into, fileName) : into;
  if (options.zip || hasOwnFolder) {
    const exists = await pathExists(path);
    if (exists && options.onExisting === "keep") return { path, isExisting: true };
    if (exists && options.zip && options.onExisting === "refuse") throw alreadyExists(path);
  }
  const source = `${addressText(context.server.base)} ${fullName(context.repo)} artifact ${artifact.id} of ${artifact.updated_at}`;
  const scratch = openScratch(into, fileNameKey(fileName), source);
  const part = openPart(scratch.part, source);
  let finished = false;
  try {
    await downloadAndFinish(job, part, () => (options.zip ? saveArchive(job, part.path, path) : unpack(job, scratch)));
    finished = true;
  } catch (error) {
    // It would be refused again.
    finished = error instanceof UnsafeArchive;
    throw error;
  } finally {
    part.close();
    // Keep what was received for the next run.
    if (finished || part.length === 0) scratch.remove();
  }
  return { path, isExisting: false };
}

/** Downloads the archive and calls `finish`. A damaged archive is removed and downloaded once more. */
async function downloadAndFinish(
  { artifact, options, bar, slot, context }: ArtifactJob,
  part: Part,
  finish: () => Promise<void>,
): Promise<void> {
  const { http, repo, system } = context;
  const { signal, sleep, random } = system;
  const open: OpenSource = async (headers) => {
    const answer = await call(http, artifactDownload, { repo, artifact_id: artifact.id }, undefined, {
      headers,
      beforeRedirect: slot.acquire,
    });
    // If the server did not redirect to a signed address, the slot is not held yet.
    await slot.acquire();
    return answer;
  };
  const settings = { signal, sleep, random, maxBytes: options.limits.size, onProgress: bar.at };
  for (let again = false; ; again = true) {
    await download(open, part, settings);
    const length = part.length;
    part.close();
    slot.release();
    try {
      return await finish();
    } catch (error) {
      if (!(error instanceof DamagedArchive)) throw error;
      part.remove();
      if (again) throw new DamagedArchive(`${error.message}${sizes(length, artifact)}`);
    }
  }
}

/** Checks the archive and moves it into place. */
async function saveArchive({ options, bar, context }: ArtifactJob, part: string, path: string): Promise<void> {
  bar.doing("checking");
  await verifyArchive(part, context.system.signal);
  if (options.onExisting === "overwrite") await rename(part, path);
  else await moveToNew(part, path);
}

async function unpack(
  { into, fileName, hasOwnFolder, options, bar, context }: ArtifactJob,
  scratch: Scratch,
): Promise<void> {
  bar.doing("unpacking");
  await unpackArchive(scratch.part, {
    into,
    subfolder: hasOwnFolder ? fileName : undefined,
    staging: scratch.unpacking,
    limits: options.limits,
    onExisting: options.onExisting,
    windows: platform() === "win32",
    signal: context.system.signal,
    onWarning: (warning) => context.out.warn(`${fileName}: ${warning}`),
  });
}

function sizes(length: number, artifact: Artifact): string {
  if (length === artifact.size_in_bytes) return "";
  return ` (received ${length} bytes, expected ${artifact.size_in_bytes})`;
}
