import { basename } from "node:path";
import type { PlainContext } from "../../app/context.ts";
import { choice, type FlagValues, integer, text, toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { createDecoder } from "../../metrics/decode/decoder.ts";
import { readingOf } from "../../metrics/decode/reading.ts";
import { seriesOf } from "../../metrics/decode/series.ts";
import type { QueryPatterns } from "../../metrics/grpc/service.ts";
import { liveSink } from "../../metrics/live-output.ts";
import { OutputClosed, refuseFolder } from "../../metrics/outputs.ts";
import { hasBadText } from "../../metrics/reading/codec.ts";
import { seriesName } from "../../metrics/reading/identity.ts";
import { type ReadingFormat, readingFormats } from "../../metrics/reading-writer.ts";
import { compressing } from "../../metrics/recorder/compress.ts";
import { type Converter, openConverter, toParquet } from "../../metrics/recorder/converter.ts";
import { type Call, openRecorder } from "../../metrics/recorder/recorder.ts";
import { readRotation } from "../../metrics/recorder/rotation.ts";
import type { LastReading } from "../../metrics/status/last-readings.ts";
import type { ForwardCounters } from "../../metrics/status/status.ts";
import { WireFault } from "../../metrics/wire/fields.ts";
import { displayText } from "../../metrics/wire/text.ts";
import { fullPath } from "../../system/files.ts";
import { filterFlags, selection } from "./flags.ts";
import { chosenFormat, usualFormat } from "./format.ts";
import { forwardDetails, forwardFlags, openForwarding } from "./forwarding.ts";
import { endPrinting, type Print, printer } from "./print-received.ts";
import { openReceiving, type ReceiverCounts, receivingFlags } from "./receiving.ts";

/** Flags of commands that receive readings until they are interrupted. */
export const recordFlags = {
  to: text("append to a file; prints only with an output format", { names: "output file", placeholder: "FILE" }),
  rotate: text("with --to: start a new file at this size (100M, 1GiB) or time (15m, 1h, 1d)", {
    placeholder: "SIZE|TIME",
  }),
  keep: integer("with --rotate: remove all but the newest N rotated files", { min: 1 }),
  format: choice(
    [...readingFormats, "parquet"],
    "output format (ndjson; text on a terminal); parquet converts rotated files",
  ),
  compress: choice(["gzip", "zstd"], "compress rotated files"),
  count: integer("stop after this many readings", { min: 1 }),
  utc: toggle("with --format text: show times in UTC instead of local time"),
  ...receivingFlags,
  ...filterFlags,
  ...forwardFlags,
};

/** How recording is described in the help of these commands. */
export const recordDetails =
  "With --to, appends the readings to a file, each preceded by its varint length, as decode reads them. An incomplete " +
  "reading at its end, as a crash leaves it, is removed first. Only one process can record to a file. --rotate renames " +
  "the file to its name and the time in UTC (readings.20261122T060000Z.bin); with 1h, at each full hour of UTC. With " +
  "--format parquet, each rotated file is converted to Parquet, read back, and then replaced by the Parquet file; with " +
  "--compress, it is replaced by a .gz or .zst file, which the other commands read (.zst with Node 22.15 or newer). Beside " +
  "the file is an index of its times and series (readings.bin.index), with which the other commands read only what " +
  "--since, --until, --host and the like select. Strings that are not UTF-8 are recorded, with a warning: the other commands " +
  "need --lenient for them. SIGHUP " +
  "reopens the file. Recording does not wait for the reader of stdout: readings that it is too slow for are recorded, not " +
  `printed.\n\n${forwardDetails}`;

/** Which of the two commands fits, in the help of both. */
export const whichProtocol =
  "serve (gRPC) answers each call when its reading is in the file, and a sender that gets no OK knows: for some thousand " +
  "readings a second, because collectd makes a call for each. listen (UDP) answers nothing, and takes tens of thousands a " +
  "second: for fleets of hundreds of hosts and more. What it loses is counted.";

/** How both show what they do. */
export const statusDetails =
  "On a terminal, a status line shows readings per second, hosts, lost and refused readings, and the delay; " +
  "--status-address serves the same as OpenMetrics. --expose serves the last reading of each series as OpenMetrics, " +
  "named as by write_prometheus, until it is older than two of its intervals. Neither asks who reads it.";

/** What exit codes of these commands mean. */
export const refusedExit = "another process records to the file or forwards from the spool, or they are something else";

/** What takes in readings, once it has started. */
export interface Receiver {
  /** Called every second. */
  readonly tick?: () => void;
  readonly counts?: () => ReceiverCounts;
  /** What was lost before it came here: `the system dropped 3 packets`. */
  readonly losses?: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Takes in readings. */
export interface Taking {
  /**
   * Takes the reading from `start` to `end`, with `slack` bytes after it, of a call if its sender gets an answer. Returns a
   * promise if the sender should wait, and a text if the reading was not taken; what does not answer its senders ignores both.
   */
  readonly take: (
    bytes: Uint8Array,
    view: DataView,
    start: number,
    end: number,
    call?: Call,
  ) => Promise<void> | string | undefined;
  /** Resolves when what was taken is in the file, with a text if the recording has ended; a call that failed has its problem. */
  readonly settled: () => Promise<string | undefined>;
  /** The last readings of each series, of those that were kept. */
  readonly query: (patterns: QueryPatterns) => readonly Uint8Array[];
  /** Ends the session, which fails if an error is given. */
  readonly end: (error?: unknown) => void;
}

type Start = (taking: Taking) => Promise<Receiver>;

/** A reading of a call, until it is known whether it is kept. */
interface Taken extends Call, LastReading {
  readonly call: Call | undefined;
}

const tickMilliseconds = 1000;

const notUtf8Hint =
  "has a string that is not UTF-8; it is recorded as it is. Other commands report it as bad data, unless --lenient accepts it.";

/**
 * Receives readings until interrupted or `--count`; records and prints those that the flags select. Senders that get an
 * answer (`answers`) learn of readings that were not recorded, and wait for a reader of stdout that is too slow if nothing
 * is recorded. Otherwise the former are lost and the latter not printed, and both are counted.
 */
export async function recordSession(
  context: Pick<PlainContext, "system" | "options" | "out"> & { readonly flags: FlagValues<typeof recordFlags> },
  { answers, usual }: { readonly answers: boolean; readonly usual?: ReadingFormat },
  start: Start,
): Promise<ExitName | undefined> {
  const { system, options, out, flags } = context;
  const { count = Number.POSITIVE_INFINITY } = flags;
  if (options.json) throw new UsageError("Readings are printed as they arrive: --json does not accept fields here");
  const to = flags.to === "-" ? undefined : flags.to;
  refuseFolder(to);
  const rotate = readRotation(flags.rotate);
  if (to === undefined && rotate !== undefined) throw new UsageError("--rotate requires --to FILE");
  if (rotate === undefined && flags.keep !== undefined) throw new UsageError("--keep requires --rotate");
  const { filter, timeRange } = selection(flags, system.now());
  const isParquet = flags.format === "parquet";
  if (isParquet && rotate === undefined) throw new UsageError("--format parquet requires --to FILE and --rotate");
  if (flags.compress !== undefined && rotate === undefined) throw new UsageError("--compress requires --rotate");
  if (flags.compress !== undefined && isParquet)
    throw new UsageError("--compress and --format parquet exclude each other");
  const conversion = flags.compress === undefined ? toParquet : await compressing(flags.compress);
  if (isParquet && to?.endsWith(".parquet")) {
    const hint = "Choose another extension: .parquet is used for the converted files.";
    throw new UsageError("--to FILE must not end in .parquet with --format parquet", hint);
  }
  const given = flags.format === "parquet" ? undefined : flags.format;
  const isKept = to !== undefined || flags.forward !== undefined;
  const format = chosenFormat(options, given) ?? (isKept ? undefined : usualFormat(system.stdout.isTTY, usual));
  const { now } = system;
  const warn = (message: string) => out.warn(message);
  const { signal } = system;
  let converter: Converter | undefined;
  const onRotated = (file: string) => converter?.add(file);
  const file = to === undefined ? undefined : { path: fullPath(to, system), name: to, keep: flags.keep };
  const recorder = file && (await openRecorder({ ...file, rotate, onRotated, refuses: answers, now, warn }));
  const forwarding = await openForwarding(context, flags, answers && recorder === undefined).catch((error: unknown) => {
    recorder?.close();
    throw error;
  });
  // Only the process that holds the recording may convert its files.
  if ((isParquet || flags.compress !== undefined) && file !== undefined)
    converter = openConverter({ ...file, signal, now, warn, conversion });
  const waits = answers && recorder === undefined;
  let [received, notUtf8] = [0, 0];
  let before: readonly string[] = [];
  let forwarded: ForwardCounters | undefined;
  // What could not be written was not taken; the spool alone keeps readings without --to.
  const taken = () => received - (recorder?.lost() ?? forwarding?.lost() ?? 0);

  async function receive(print: Print | undefined): Promise<void> {
    let printing = print;
    let ended = false;
    let finish = () => {};
    let broken: { readonly error: unknown } | undefined;
    const done = new Promise<void>((resolved) => {
      finish = resolved;
    });
    const finishWith = (error?: unknown) => {
      ended = true;
      if (error !== undefined) broken ??= { error };
      finish();
    };
    const endWith = (error: unknown) => {
      finishWith(error);
      return "the recording has ended";
    };
    const check = () => {
      try {
        recorder?.check();
        return undefined;
      } catch (error) {
        return endWith(error);
      }
    };
    let waiting: Taken[] = [];
    const write = () => {
      const problem = check();
      const all = waiting;
      waiting = [];
      for (const one of all) {
        // What is recorded is answered with OK, even if it cannot be forwarded; what is not, its sender keeps.
        if (answers && one.problem !== undefined) continue;
        forwarding?.add(one.bytes.subarray(one.start, one.end), recorder === undefined ? one : undefined);
      }
      forwarding?.flush();
      for (const one of all) {
        if (one.problem === undefined) receiving.keep(one);
        else if (one.call !== undefined) one.call.problem ??= one.problem;
      }
      return problem;
    };
    let settling: Promise<string | undefined> | undefined;
    // What one turn of the event loop brings is written at once.
    const settled = () => {
      settling ??= new Promise((resolve) => {
        setImmediate(() => {
          settling = undefined;
          resolve(write());
        });
      });
      return settling;
    };
    const decoder = createDecoder({
      lenient: true,
      filter,
      timeRange,
      tail: (fields) => ({ texts: [], tag: hasBadText(readingOf(fields)) ? 1 : 0 }),
      added: (entry, fields) => receiving.added(entry, fields),
    });
    const take: Taking["take"] = (bytes, view, start, end, call) => {
      const entry = decoder.read(bytes, view, start, end);
      if (entry < 0) return undefined;
      if (ended) return "the recording has ended";
      const time = { ...decoder.fields.time };
      const one: Taken = { series: receiving.reading(entry), bytes, start, end, time, call };
      try {
        recorder?.add(bytes, start, end, one);
        waiting.push(one);
        received += 1;
        if (answers && printing !== undefined) recorder?.flush();
        if (recorder !== undefined && decoder.tails.tag(entry) === 1) {
          notUtf8 += 1;
          if (notUtf8 === 1) warn(`${displayText(seriesName(seriesOf(decoder.fields)))} ${notUtf8Hint}`);
        }
        // What is refused is not printed.
        if (one.problem === undefined) printing?.reading(bytes, view, start, end);
      } catch (error) {
        if (error instanceof WireFault) out.warn(`Could not print a reading: ${error.message}`);
        // Recording does not depend on who reads the output.
        else if (error instanceof OutputClosed && recorder !== undefined) printing = undefined;
        else return endWith(error);
      }
      if (taken() === count) {
        const problem = write();
        if (problem !== undefined) return problem;
        if (taken() === count) finishWith();
      } else void settled();
      return waits && printing?.isFull()
        ? printing.drained().catch((error: unknown) => void endWith(error))
        : undefined;
    };
    let receiver: Receiver | undefined;
    const counts = () => {
      // Or what is lost only then would have been counted as taken.
      write();
      const counted = receiver?.counts?.();
      const lost = { "readings that could not be written": (recorder ?? forwarding)?.lost() ?? 0 };
      return {
        ...counted,
        readings: taken(),
        forward: forwarding?.counters(),
        ...(answers ? { refused: { ...lost, ...counted?.refused } } : { lost: { ...lost, ...counted?.lost } }),
      };
    };
    // The status line would be among the readings that are printed.
    const receiving = await openReceiving(context, {
      counts,
      answers,
      quiet: printing !== undefined && system.stdout.isTTY === true,
    });
    try {
      receiver = await start({ take, settled, query: receiving.query, end: finishWith });
    } catch (error) {
      await receiving.close();
      throw error;
    }
    const stopListening = system.onHangup?.(() => recorder?.reopen());
    const timer = setInterval(() => {
      if (check() === undefined) recorder?.tick();
      receiver?.tick?.();
      receiving.tick();
    }, tickMilliseconds);
    system.signal.addEventListener("abort", () => finish(), { once: true });
    try {
      if (!system.signal.aborted) await done;
    } finally {
      clearInterval(timer);
      await receiver.close();
      // What came last is written before the file is closed, whose number another file may get.
      await settling;
      await receiving.close();
      before = receiver.losses?.() ?? [];
      stopListening?.();
      if (printing !== undefined) await endPrinting(printing, system.signal, warn);
    }
    if (broken !== undefined) throw broken.error;
  }

  try {
    if (format === undefined) await receive(undefined);
    else {
      const sink = liveSink(system.stdout, format === "json" || format === "ndjson");
      await receive(await printer(sink, { format, utc: flags.utc, waits, warn })).catch((error: unknown) => {
        if (!(error instanceof OutputClosed)) throw error;
      });
    }
    const left = (await converter?.finished()) ?? [];
    if (left.length > 0) warn(notConverted(left));
  } finally {
    recorder?.close();
    forwarded = await forwarding?.close();
  }
  const lost = recorder?.lost() ?? 0;
  const refused = `refused ${lost} ${lost === 1 ? "reading" : "readings"} that could not be written`;
  const losses = [...(lost === 0 ? [] : [answers ? refused : `${lost} could not be written`]), ...before];
  const bad = notUtf8 === 0 ? "" : `, ${notUtf8} with a string that is not UTF-8`;
  const kept = taken();
  const report = [`Received ${kept} ${kept === 1 ? "reading" : "readings"}${bad}`, ...losses].join("; ");
  if (losses.length === 0) out.note(report);
  else out.warn(report);
  const isWhole = losses.length === 0 && (forwarded?.refused ?? 0) + (forwarded?.dropped ?? 0) === 0;
  return isWhole ? undefined : "partly";
}

function notConverted(recordings: readonly string[]): string {
  const [only, ...others] = recordings.map((one) => basename(one));
  const what = others.length === 0 ? `${only} is` : `${recordings.length} files (${only} to ${others.at(-1)}) are`;
  return `${what} not converted yet; the same command converts what is left when it starts`;
}
