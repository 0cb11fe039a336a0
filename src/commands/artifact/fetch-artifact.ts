import { link, mkdir, rename, stat } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { DamagedArchive } from "../../archive/archive-failure.ts";
import { verifyArchive } from "../../archive/content.ts";
import type { Limits } from "../../archive/limits.ts";
import type { Existing } from "../../archive/move-into-place.ts";
import { type Passed, streamingCrc } from "../../archive/streaming-crc.ts";
import { isThere, unpackArchive } from "../../archive/unpack.ts";
import { type DownloadSettings, download, type OpenSource } from "../../download/download.ts";
import { openPart, type Part } from "../../download/part.ts";
import { openScratch, type Scratch } from "../../download/scratch.ts";
import type { Slot } from "../../download/semaphore.ts";
import { onDisk } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import type { Artifact } from "../../forge/artifacts.ts";
import type { Bar } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { lock } from "../../system/lock.ts";
import { labelKey } from "./labels.ts";

export type FetchContext = Pick<BaseContext, "out" | "system" | "options"> & RepositoryContext;

/** How artifacts are downloaded. */
export interface FetchOptions {
  readonly dir: string;
  /** Keep the archive instead of unpacking it. */
  readonly zip: boolean;
  readonly existing: Existing;
  readonly limits: Limits;
}

/** The download of one artifact of a command. */
export interface ArtifactJob {
  readonly artifact: Artifact;
  /** The target folder, as an absolute path. */
  readonly into: string;
  /** The artifact's name as a file name, unlike that of the command's other artifacts. */
  readonly label: string;
  /** Whether the command downloads several, so that each unpacks into a folder of its own. */
  readonly several: boolean;
  readonly options: FetchOptions;
  readonly bar: Bar;
  /** Acquired for the bytes, and released when they are there. */
  readonly slot: Slot;
  readonly context: FetchContext;
}

/** What it came to: the file or folder, and whether that was there before. */
export interface Fetched {
  readonly path: string;
  readonly kept: boolean;
}

/**
 * Downloads one artifact, checks it, and puts it in its place. A part of an earlier run is gone on with; while another
 * tongs works on it, it is refused.
 */
export function fetchArtifact(job: ArtifactJob): Promise<Fetched> {
  const { into, label, slot } = job;
  return onDisk(async () => {
    await mkdir(into, { recursive: true });
    // By its number: the folder may have several names.
    const { dev, ino } = await stat(into, { bigint: true });
    const held = await lock(`${dev}:${ino}/${labelKey(label)}`);
    if (held === undefined) throw busy(label, into);
    try {
      return await fetchLocked(job);
    } finally {
      slot.release();
      held.release();
    }
  });
}

async function fetchLocked(job: ArtifactJob): Promise<Fetched> {
  const { artifact, into, label, several, options, context } = job;
  const path = options.zip ? join(into, `${label}.zip`) : several ? join(into, label) : into;
  if (options.zip || several) {
    const there = await isThere(path);
    if (there && options.existing === "keep") return { path, kept: true };
    if (there && options.zip && options.existing === "refuse") throw alreadyThere(path);
  }
  const of = `${addressText(context.server.base)} ${fullName(context.repo)} artifact ${artifact.id} of ${artifact.updated_at}`;
  const scratch = openScratch(into, labelKey(label), of);
  const part = openPart(scratch.part, of);
  let finished = false;
  try {
    if (options.zip) {
      const crc = streamingCrc();
      await downloadAndFinish(job, part, crc.take, () => keepArchive(job, part.path, path, crc.passed));
    } else await downloadAndFinish(job, part, undefined, () => unpack(job, scratch));
    finished = true;
  } finally {
    part.close();
    // What was received is kept for the next run.
    if (finished || part.length === 0) scratch.remove();
  }
  return { path, kept: false };
}

/** Downloads and finishes; a damaged archive is removed and fetched once more from the beginning. */
async function downloadAndFinish(
  { artifact, options, bar, slot, context }: ArtifactJob,
  part: Part,
  onPiece: DownloadSettings["onPiece"],
  finish: () => Promise<void>,
): Promise<void> {
  const { forge, repo, system } = context;
  const open: OpenSource = async (headers) => {
    const answer = await forge.artifacts.download(repo, artifact.id, headers, slot.acquire);
    // A server may send the file without a signed address.
    await slot.acquire();
    return answer;
  };
  const settings = { ...system, onPiece, mostBytes: options.limits.size, onProgress: bar.at };
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

/** Checks the archive and moves it to its path. */
async function keepArchive(
  { options, bar, context }: ArtifactJob,
  part: string,
  path: string,
  passed: ReadonlyMap<number, Passed>,
): Promise<void> {
  bar.doing("checking");
  await verifyArchive(part, context.system.signal, passed);
  if (options.existing === "overwrite") await rename(part, path);
  else await putNew(part, path);
}

async function unpack({ into, label, several, options, bar, context }: ArtifactJob, scratch: Scratch): Promise<void> {
  bar.doing("unpacking");
  await unpackArchive(scratch.part, {
    into,
    below: several ? label : undefined,
    staging: scratch.unpacking,
    limits: options.limits,
    existing: options.existing,
    windows: platform() === "win32",
    signal: context.system.signal,
    onRemark: (remark) => context.out.warn(`${label}: ${remark}`),
  });
}

/** Moves a file to where nothing is, also if something has come there meanwhile. */
async function putNew(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || (await isThere(path))) throw alreadyThere(path);
    // Not every file system has second names; there a moment is left.
    await rename(part, path);
  }
}

function sizes(length: number, artifact: Artifact): string {
  if (length === artifact.size_in_bytes) return "";
  return ` (${length} bytes came, the server's record says ${artifact.size_in_bytes})`;
}

function busy(label: string, into: string): Failure {
  return new Failure("busy", "failure", `Another tongs is downloading ${label} into ${into} already`, {
    hint: "Wait until it has ended, or choose another folder with --dir.",
  });
}

function alreadyThere(path: string): Failure {
  return new Failure("exists", "failure", `${path} is there already`, {
    hint: "--overwrite replaces it, --skip-existing keeps it.",
  });
}
