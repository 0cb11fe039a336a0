import { accessSync, closeSync, constants, createReadStream, openSync, realpathSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { hasCode } from "../failure/disk.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { fullPath, type Place } from "../system/files.ts";
import type { Framing } from "./framing/framing.ts";
import type { Range, Wanted } from "./index/ranges.ts";
import { looksLikeCapture } from "./network/pcap.ts";
import type { PacketFiles } from "./network/rules.ts";
import { type ClosingSource, decompressed } from "./stream/decompress.ts";
import { foreign, foreignHead, foreignText } from "./stream/foreign.ts";
import { faultText, type MessageHandler, type StreamFault } from "./stream/messages.ts";
import { type ReadOptions, type ReadResult, readMessages } from "./stream/read-messages.ts";
import { fileSource, peek, remember, type Source, streamSource, wholeFile } from "./stream/source.ts";

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
  /** The open file, if it is a regular one. */
  readonly file?: { readonly fd: number; readonly path: string };
  readonly close: () => void;
}

/** The inputs that FILE arguments name: stdin without any. */
export function inputNames(files: readonly string[]): readonly string[] {
  return files.length === 0 ? ["-"] : files;
}

/**
 * Opens the FILE arguments one by one, once all are known to be there: files, pipes, and stdin for `-` or without
 * arguments. What is compressed with gzip or zstd is decompressed.
 */
export function* openInputs(system: InputSystem, files: readonly string[]): Generator<Input> {
  if (files.length === 0 && system.stdin.isTTY === true) {
    throw new UsageError(
      "No input: stdin is a terminal",
      "Pass FILE, or pipe data to stdin; - reads from the terminal.",
    );
  }
  // Before anything is written.
  for (const file of files) if (file !== "-") checkReadable(system, file);
  for (const file of inputNames(files)) yield file === "-" ? openStdin(system) : openFile(system, file);
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

function openFile(system: InputSystem, file: string): Input {
  const { signal } = system;
  const path = fullPath(file, system);
  try {
    if (statSync(path).isFile()) {
      const fd = openSync(path, "r");
      return {
        ...inputOf(
          file,
          decompressed(fileSource(fd), file, signal, () => wholeFile(fd)),
          () => closeSync(fd),
        ),
        file: { fd, path: realpathSync(path) },
      };
    }
  } catch (error) {
    throw openFailure(error, file);
  }
  const stream = createReadStream(path);
  return inputOf(file, decompressed(streamSource(stream, signal), file, signal), () => stream.destroy());
}

/** Throws a `Failure` or a usage error unless there is a file, a pipe or a device that can be read. */
export function checkReadable(system: Place, file: string): void {
  const path = fullPath(file, system);
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isDirectory()) throw new UsageError(`${file} is a directory`);
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
  readonly framing: Framing | "auto" | "network";
  /** For packets of the network protocol. */
  readonly network?: PacketFiles;
  readonly skipErrors: boolean;
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
  const { wanted } = options.framing === "auto" || options.framing === "delimited" ? options : {};
  const { since, until } = wanted?.timeRange ?? {};
  const selects = (wanted?.filter ?? since ?? until) !== undefined;
  const mayWrite = system.confine === undefined;
  const checkAborted = () => system.signal.throwIfAborted();
  for (const input of openInputs(system, files)) {
    let ranges: readonly Range[] | undefined;
    const index = selects && input.file !== undefined ? await import("./index/ranges.ts") : undefined;
    const located = (fault: StreamFault) => (ranges && index ? index.locatedFault(ranges, fault) : fault);
    const skip = (unlocated: StreamFault) => {
      if (!options.skipErrors) return false;
      const fault = located(unlocated);
      skipped += 1;
      if (skipped <= maxWarnings) out.warn(`${input.name}: skipped ${faultText(fault)}`);
      return true;
    };
    try {
      const { handle, onIdle = () => undefined } = options;
      if (wanted !== undefined && input.file !== undefined)
        ranges = await index?.wantedRanges(input.file, wanted, { mayWrite, checkAborted });
      const framing = ranges === undefined ? options.framing : "delimited";
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
    const result = await readPackets(source, { ...handlers, rules: loadPacketRules(system, options.network) });
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
