import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { hasCode } from "../failure/disk.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { fullPath, type Place } from "../system/files.ts";
import type { Framing } from "./framing/framing.ts";
import type { Range, Wanted } from "./index/ranges.ts";
import { looksLikeCapture } from "./network/pcap.ts";
import type { PacketFiles } from "./network/rules.ts";
import { type DatasetFile, filesIn } from "./parquet/folders.ts";
import { mayHaveIn } from "./parquet/selection.ts";
import { type ClosingSource, decompressed } from "./stream/decompress.ts";
import { foreign, foreignHead, foreignText } from "./stream/foreign.ts";
import { faultText, type MessageHandler, type StreamFault } from "./stream/messages.ts";
import { type ReadOptions, type ReadResult, readMessages } from "./stream/read-messages.ts";
import { fileSource, opening, peek, remember, type Source, streamSource, wholeFile } from "./stream/source.ts";

/** The parts of the process that inputs need; `signal` aborts on Ctrl-C. */
export interface InputSystem extends Place {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/** Prints warnings. */
export interface Warnings {
  warn(message: string): void;
}

/** Warns of late readings, `where` they were skipped. */
export function warnLate(out: Warnings, count: number, files: readonly string[], where = ""): void {
  if (count === 0) return;
  const order = files.length > 1 ? ". Name files from the oldest to the newest." : "";
  out.warn(`Skipped ${count} late ${count === 1 ? "reading" : "readings"}${where}${order}`);
}

/** An input of a command. */
export interface Input {
  /** The file as given on the command line, or `standard input`. */
  readonly name: string;
  readonly source: Source;
  /** The open file, if it is a regular one that is not Parquet. */
  readonly file?: { readonly fd: number; readonly path: string };
  /** Whether `source` has delimited messages that were made of a Parquet file. */
  readonly isParquet?: true;
  readonly close: () => void;
}

/** The inputs that FILE arguments name: stdin without any. */
export function inputNames(files: readonly string[]): readonly string[] {
  return files.length === 0 ? ["-"] : files;
}

/**
 * Opens the FILE arguments one by one, once all are known to be there: files, pipes, and stdin for `-` or without
 * arguments. What is compressed with gzip or zstd is decompressed. With `wanted`, Parquet files, and directories of such,
 * become delimited messages.
 */
export function* openInputs(system: InputSystem, files: readonly string[], wanted?: Wanted): Generator<Input> {
  if (files.length === 0 && system.stdin.isTTY === true) {
    throw new UsageError(
      "No input: stdin is a terminal",
      "Pass FILE, or pipe data to stdin; - reads from the terminal.",
    );
  }
  // Before anything is written.
  for (const file of files) if (file !== "-") checkReadable(system, file, wanted !== undefined);
  for (const file of inputNames(files)) {
    if (file === "-") yield openStdin(system);
    else if (!statSync(fullPath(file, system)).isDirectory()) yield openFile(system, file, wanted);
    else for (const { path, host } of parquetIn(system, file, wanted)) yield openFile(system, path, wanted, host);
  }
}

/** The Parquet files in a directory that may have what is wanted. Throws a usage error if there is none at all. */
function* parquetIn(system: Place, folder: string, wanted: Wanted = { timeRange: {} }): Generator<DatasetFile> {
  let isDataset = false;
  const keep = (key: string, value: string, day: string) => {
    isDataset = true;
    return mayHaveIn(key, value, day, wanted);
  };
  for (const { path, host } of filesIn(fullPath(folder, system), keep)) {
    isDataset = true;
    yield { path: join(folder, relative(fullPath(folder, system), path)), host };
  }
  if (!isDataset) throw new UsageError(`${folder} is a directory without Parquet files`);
}

function openStdin({ stdin, signal }: InputSystem): Input {
  const name = "standard input";
  return inputOf(name, decompressed(streamSource(stdin, signal), name, signal), () => stdin.destroy());
}

function inputOf(name: string, source: ClosingSource, release: () => unknown): Input {
  const close = () => {
    source.close();
    release();
  };
  return { name, source, close };
}

function openFile(system: InputSystem, file: string, wanted?: Wanted, host = ""): Input {
  const { signal } = system;
  const path = fullPath(file, system);
  try {
    if (statSync(path).isFile()) {
      const fd = openSync(path, "r");
      const close = () => closeSync(fd);
      if (wanted !== undefined && isParquet(path)) {
        const open = async () => (await import("./parquet/read-readings.ts")).parquetSource(fd, file, wanted, host);
        return { name: file, source: opening(open), isParquet: true, close };
      }
      const source = decompressed(fileSource(fd), file, signal, () => wholeFile(fd));
      return { ...inputOf(file, source, close), file: { fd, path: realpathSync(path) } };
    }
  } catch (error) {
    throw openFailure(error, file);
  }
  const stream = createReadStream(path);
  return inputOf(file, decompressed(streamSource(stream, signal), file, signal), () => stream.destroy());
}

/** Whether a path is that of a directory, or of a file that starts like a Parquet file. */
export function isParquet(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return stats?.isDirectory() === true;
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(4);
    return readSync(fd, head, 0, 4, 0) === 4 && head.toString("latin1") === "PAR1";
  } finally {
    closeSync(fd);
  }
}

/** Throws a `Failure` or a usage error unless there is a file, a pipe or a device that can be read, or with `mayBeFolder` a directory. */
export function checkReadable(system: Place, file: string, mayBeFolder = false): void {
  const path = fullPath(file, system);
  try {
    accessSync(path, constants.R_OK);
    if (!mayBeFolder && statSync(path).isDirectory()) throw new UsageError(`${file} is a directory`);
  } catch (error) {
    throw openFailure(error, file);
  }
}

/** The failure of a file that cannot be opened. */
export function openFailure(error: unknown, file: string): unknown {
  if (hasCode(error, "ENOENT")) return new Failure("not_found", `No such file: ${file}`);
  if (hasCode(error, "EACCES")) return new Failure("forbidden", `Cannot read ${file}: permission denied`);
  return error;
}

/** How a command reads its inputs. */
export interface InputsOptions {
  /** Those of the command; the files are for packets of the network protocol. */
  readonly flags: PacketFiles & { readonly framing: Framing | "auto" | "network"; readonly skipErrors: boolean };
  /** The command has no --lenient. */
  readonly isStrict?: boolean;
  readonly handle: MessageHandler;
  /** What `handle` does not need is not read, if a recording has an index that says where it is. */
  readonly wanted?: Wanted;
  readonly onIdle?: () => Promise<void> | undefined;
  /** Readings may be appended meanwhile: an input may end in the middle of a message. */
  readonly mayGrow?: boolean;
}

// Further skipped messages are only counted.
const maxWarnings = 10;

/**
 * Reads all FILEs. After an error it continues with the next file or, with `skipErrors`, after the bad message. Returns
 * the number of skipped messages and, if an input was damaged, a failure that the caller throws after its output.
 */
export async function readInputs(
  { system, out }: { readonly system: InputSystem; readonly out: Warnings },
  files: readonly string[],
  options: InputsOptions,
): Promise<{ readonly skipped: number; readonly failure?: Failure }> {
  const failures: Failure[] = [];
  let skipped = 0;
  let others = 0;
  const { flags } = options;
  const { wanted } = flags.framing === "auto" || flags.framing === "delimited" ? options : {};
  const { since, until } = wanted?.timeRange ?? {};
  const selects = (wanted?.filter ?? since ?? until) !== undefined;
  const mayWrite = system.confine === undefined;
  const checkAborted = () => system.signal.throwIfAborted();
  const parquet = flags.framing === "auto" ? (options.wanted ?? { timeRange: {} }) : undefined;
  for (const input of openInputs(system, files, parquet)) {
    let ranges: readonly Range[] | undefined;
    const index = selects && input.file !== undefined ? await import("./index/ranges.ts") : undefined;
    const located = (fault: StreamFault) => (ranges && index ? index.locatedFault(ranges, fault) : fault);
    const skip = (unlocated: StreamFault) => {
      if (!flags.skipErrors) return false;
      const fault = located(unlocated);
      skipped += 1;
      if (skipped <= maxWarnings) out.warn(`${input.name}: skipped ${faultText(fault)}`);
      return true;
    };
    try {
      const { handle, onIdle = () => undefined } = options;
      if (wanted !== undefined && input.file !== undefined)
        ranges = await index?.wantedRanges(input.file, wanted, { mayWrite, checkAborted });
      const framing = ranges === undefined && input.isParquet !== true ? flags.framing : "delimited";
      const source = ranges && index && input.file ? index.rangeSource(input.file.fd, ranges) : input.source;
      const handlers = { handle, onIdle, skip, checkAborted };
      const { head, whole } = await peek(source, 4);
      const other = framing === "auto" ? foreign(input.name, head) : undefined;
      if (other !== undefined) throw other;
      const seen = remember(whole, foreignHead);
      const isCapture = framing === "network" || (framing === "auto" && looksLikeCapture(head));
      const result = isCapture
        ? await readNetwork(seen.source, handlers)
        : await readMessages(seen.source, { ...handlers, framing });
      const isNothing = result.readings === 0 && (result.fault !== undefined || result.messages > 0);
      const instead = isNothing ? (foreign(input.name, head) ?? foreignText(input.name, seen.head())) : undefined;
      if (instead !== undefined) throw instead;
      const isGrowing = options.mayGrow === true && result.fault?.kind === "truncated" && result.readings > 0;
      if (result.fault !== undefined && !isGrowing)
        failures.push(
          damageFailure(input.name, result, located(result.fault), {
            detected: framing === "auto" && result.fault.unit === undefined,
            isStrict: options.isStrict,
          }),
        );
      if (result.stopped) break;
    } catch (error) {
      // Not readings, or what could not be decompressed; the readings before it were handled.
      if (!(error instanceof Failure && error.code === "bad_data")) throw error;
      failures.push(error);
    } finally {
      input.close();
    }
  }
  if (others > 0) out.warn(`Skipped ${others} UDP ${others === 1 ? "packet" : "packets"} that collectd did not send`);
  if (skipped > 0) out.warn(`Skipped ${skipped} bad ${skipped === 1 ? "message" : "messages"}`);
  const last = failures.pop();
  for (const failure of failures) out.warn(failure.message);
  return { skipped, ...(last === undefined ? {} : { failure: last }) };

  async function readNetwork(source: Source, handlers: Omit<ReadOptions, "framing">): Promise<ReadResult> {
    const [{ readPackets }, { loadPacketRules }] = await Promise.all([
      import("./network/read-packets.ts"),
      import("./network/rules.ts"),
    ]);
    const result = await readPackets(source, { ...handlers, rules: loadPacketRules(system, flags) });
    others += result.others;
    return result;
  }
}

function damageFailure(
  name: string,
  { readings, layout }: ReadResult,
  fault: StreamFault,
  { detected, isStrict = false }: { readonly detected: boolean; readonly isStrict?: boolean | undefined },
): Failure {
  const progress = readings === 0 ? "" : ` (after ${readings} ${readings === 1 ? "reading" : "readings"})`;
  const framingHint = detected ? [`Detected framing: ${layout.framing}. Set it with --framing if that is wrong.`] : [];
  const skipHint = fault.kind === "bad-message" && layout.framing !== "raw" ? ["Use --skip-errors to skip it."] : [];
  const lenientHint =
    fault.what.includes("UTF-8") && !isStrict ? ["Use --lenient to accept such strings and show their bytes."] : [];
  const keyHint = fault.what.includes("no authentication file") ? ["Use --auth-file FILE."] : [];
  return new Failure("bad_data", `${name}: ${faultText(fault)}${progress}`, {
    hint: [...keyHint, ...lenientHint, ...skipHint, ...framingHint].join(" ") || undefined,
  });
}
