import { link, mkdir, rename, stat } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import { DamagedArchive } from "../../archive/archive-failure.ts";
import type { Limits } from "../../archive/bombs.ts";
import type { Existing } from "../../archive/place.ts";
import { type Passed, streamingCrc } from "../../archive/streaming-crc.ts";
import { isThere, unpackArchive } from "../../archive/unpack.ts";
import { verifyArchive } from "../../archive/verify.ts";
import { type DownloadSettings, download } from "../../download/download.ts";
import { openPart, type Part } from "../../download/part.ts";
import { openScratch, type Scratch } from "../../download/scratch.ts";
import type { Turn } from "../../download/turns.ts";
import { onDisk } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import type { Artifact } from "../../forge/artifacts.ts";
import type { Bar } from "../../output/bars.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { lock } from "../../system/lock.ts";
import type { FetchContext } from "./fetch.ts";
import { labelKey } from "./labels.ts";

/** How artifacts are downloaded. */
export interface FetchOptions {
  readonly dir: string;
  /** Keep the archive instead of unpacking it. */
  readonly zip: boolean;
  readonly existing: Existing;
  readonly limits: Limits;
}

/** Where one artifact goes. */
export interface Place {
  readonly into: string;
  readonly label: string;
  readonly several: boolean;
}

/** What one download shares with the others. */
export interface Lane {
  readonly bar: Bar;
  /** Taken for the bytes, and given when they are there. */
  readonly turn: Turn;
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
export function fetchOne(
  artifact: Artifact,
  place: Place,
  options: FetchOptions,
  lane: Lane,
  context: FetchContext,
): Promise<Fetched> {
  return onDisk(async () => {
    const { into, label } = place;
    await mkdir(into, { recursive: true });
    // By its number: the folder may have several names.
    const { dev, ino } = await stat(into, { bigint: true });
    const held = await lock(`${dev}:${ino}/${labelKey(label)}`);
    if (held === undefined) throw busy(label, into);
    try {
      return await fetchAlone(artifact, place, options, lane, context);
    } finally {
      lane.turn.give();
      held.release();
    }
  });
}

async function fetchAlone(
  artifact: Artifact,
  place: Place,
  options: FetchOptions,
  lane: Lane,
  context: FetchContext,
): Promise<Fetched> {
  const { into, label, several } = place;
  const { server, repo } = context;
  const path = options.zip ? join(into, `${label}.zip`) : several ? join(into, label) : into;
  if (options.zip || several) {
    const there = await isThere(path);
    if (there && options.existing === "keep") return { path, kept: true };
    if (there && options.zip && options.existing === "refuse") throw alreadyThere(path);
  }
  const of = `${addressText(server.base)} ${fullName(repo)} artifact ${artifact.id} of ${artifact.updated_at}`;
  const scratch = openScratch(into, labelKey(label), of);
  const part = openPart(scratch.part, of);
  let finished = false;
  try {
    const check = options.zip ? streamingCrc() : undefined;
    await bring(artifact, { of, part, onPiece: check?.take, mostBytes: options.limits.size }, lane, context, () =>
      finish(scratch, path, place, { ...options, passed: check?.passed }, lane.bar, context),
    );
    finished = true;
  } finally {
    part.close();
    // What was received is kept for the next run.
    if (finished || part.length === 0) scratch.remove();
  }
  return { path, kept: false };
}

/** Downloads and finishes; a damaged archive is removed and fetched once more from the beginning. */
async function bring(
  artifact: Artifact,
  {
    of,
    part,
    onPiece,
    mostBytes,
  }: Pick<DownloadSettings, "onPiece" | "mostBytes"> & { readonly of: string; readonly part: Part },
  { bar, turn }: Lane,
  context: FetchContext,
  finished: () => Promise<void>,
): Promise<void> {
  const { forge, repo, system } = context;
  const source = {
    of,
    async open(headers: Readonly<Record<string, string>>) {
      const answer = await forge.artifacts.download(repo, artifact.id, headers, turn.take);
      // A server may send the file without a signed address.
      await turn.take();
      return answer;
    },
  };
  const settings = { ...system, onPiece, mostBytes, onProgress: bar.at };
  for (let again = false; ; again = true) {
    await download(source, part, settings);
    const length = part.length;
    part.close();
    turn.give();
    try {
      return await finished();
    } catch (error) {
      if (!(error instanceof DamagedArchive)) throw error;
      part.remove();
      if (again) throw new DamagedArchive(`${error.message}${sizes(length, artifact)}`);
    }
  }
}

async function finish(
  { part, unpacking }: Scratch,
  path: string,
  place: Place,
  options: FetchOptions & { readonly passed: ReadonlyMap<number, Passed> | undefined },
  bar: Bar,
  context: FetchContext,
) {
  const { out, system } = context;
  const { signal } = system;
  if (options.zip) {
    bar.doing("checking");
    await verifyArchive(part, signal, options.passed);
    if (options.existing === "overwrite") await rename(part, path);
    else await putNew(part, path);
    return;
  }
  bar.doing("unpacking");
  const { into, label, several } = place;
  await unpackArchive(part, {
    ...{
      into,
      staging: unpacking,
      limits: options.limits,
      existing: options.existing,
      signal,
    },
    below: several ? label : undefined,
    windows: platform() === "win32",
    onRemark: (remark) => out.warn(`${label}: ${remark}`),
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
