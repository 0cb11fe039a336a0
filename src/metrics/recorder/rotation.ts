import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { UsageError } from "../../failure/failure.ts";
import { readSize } from "../../text/format.ts";
import { indexPath } from "../index/format.ts";
import { spanOf } from "../reading/moments.ts";
/** When to start a new file: before it exceeds a size, or at multiples of a time since 1970 in UTC. */
export type Rotation = { readonly bytes: number } | { readonly milliseconds: number };

/** How rotated files can be compressed, with the endings of their names. */
export const compressions = { gzip: ".gz", zstd: ".zst" } as const;
export type Compression = keyof typeof compressions;

/** What the name of a rotated file has behind that of its recording: the time, and a number if it is not the first in a second. */
const rotatedPart = String.raw`(\d{8}T\d{6}Z)(\d{3,})?`;

const wholePart = new RegExp(`^${rotatedPart}$`);

/** The name of a rotated recording with another ending: `readings.20261122T060000Z.parquet`. */
export function withEnding(recording: string, ending: string): string {
  return recording.replace(new RegExp(String.raw`(?<=\.${rotatedPart})(\.[^./\\]*)?$`), ending);
}

/** Parses the value of `--rotate`: a size (`100k`, `100M`, `1GiB`) or a time (`15m`, `1h`, `1d`). Throws a usage error. */
export function readRotation(typed: string | undefined): Rotation | undefined {
  if (typed === undefined) return undefined;
  const seconds = spanOf(typed) ?? 0;
  if (seconds >= 1 && /^\d+[a-z]$/.test(typed)) return { milliseconds: seconds * 1000 };
  const bytes = /[KMGTBkgtb]$/.test(typed) ? readSize(typed) : undefined;
  if (bytes !== undefined && bytes > 0) return { bytes };
  throw new UsageError(
    `Invalid value '${typed}' for --rotate`,
    "Pass a size (500k, 100M, 1GiB) or a time (15m is minutes, 1h, 1d).",
  );
}

/**
 * `readings.bin` rotated at a time is `readings.20261122T060000Z.bin`; in the same second, `...Z002.bin` and so
 * on, which shells sort behind it. A number
 * is not used again after its file was removed as one of the oldest, because the order of the files is that of their names.
 */
export function rotatedPath(path: string, now: Date): string {
  const { stem, end } = partsOf(path);
  const time = timeText(now);
  const last = rotatedFiles(path, now).findLast((one) => one.time === time);
  for (let number = (last?.number ?? 0) + 1; ; number += 1) {
    const name = join(dirname(path), `${stem}.${time}${number === 1 ? "" : String(number).padStart(3, "0")}`);
    if (!endings(end).some((one) => existsSync(`${name}${one}`))) return `${name}${end}`;
  }
}

/** Renames a file to its name by time, and returns that. */
export function rotateAway(path: string, now: Date): string {
  const rotated = rotatedPath(path, now);
  renameSync(path, rotated);
  if (existsSync(indexPath(path))) renameSync(indexPath(path), indexPath(rotated));
  return rotated;
}

interface RotatedFile {
  readonly name: string;
  readonly file: string;
  readonly time: string;
  readonly number: number;
  readonly isConverted: boolean;
}

/** How the names of rotated files end: recordings, Parquet files made of them, and compressed ones. */
function endings(end: string): readonly string[] {
  return [".parquet", ...Object.values(compressions).map((compressed) => `${end}${compressed}`), end];
}

/**
 * The rotated files of `path`, the oldest first: recordings, and the files that they were converted to. Those from the
 * future are the oldest: the clock was set back after them.
 */
export function rotatedFiles(path: string, now: Date): RotatedFile[] {
  const latest = timeText(now);
  const { stem, end } = partsOf(path);
  const rotated = readdirSync(dirname(path)).flatMap((name) => {
    const ending = endings(end).find((one) => name.endsWith(one));
    if (!name.startsWith(`${stem}.`) || ending === undefined) return [];
    const middle = name.slice(stem.length + 1, name.length - ending.length);
    const [, time, number = "1"] = wholePart.exec(middle) ?? [];
    const file = join(dirname(path), name);
    return time === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() !== true
      ? []
      : [{ name, file, time, number: Number(number), isConverted: ending !== end }];
  });
  return rotated.sort((one, other) => {
    if (one.time === other.time) return one.number - other.number;
    const [isLater, isOtherLater] = [one.time > latest, other.time > latest];
    return isLater === isOtherLater ? (one.time < other.time ? -1 : 1) : isLater ? -1 : 1;
  });
}

/** The time in UTC, as in the names of rotated files. */
function timeText(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Removes the oldest rotated files of `path` until `keep` are left. Returns their names. */
export function removeOldest(path: string, keep: number, now: Date): string[] {
  const rotated = rotatedFiles(path, now);
  const old = rotated.slice(0, Math.max(0, rotated.length - keep));
  for (const { file } of old) {
    rmSync(file);
    rmSync(indexPath(file), { force: true });
  }
  return old.map(({ name }) => name);
}

function partsOf(path: string): { readonly stem: string; readonly end: string } {
  const name = basename(path);
  const end = extname(name);
  return { stem: name.slice(0, name.length - end.length), end };
}
