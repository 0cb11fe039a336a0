import type { PlainContext } from "../../app/context.ts";
import { choice, type FlagValues, integer, text, toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { UsageError } from "../../failure/failure.ts";
import { type LiveSink, withLiveSink } from "../../metrics/live-output.ts";
import { OutputClosed } from "../../metrics/outputs.ts";
import type { Reading } from "../../metrics/reading/codec.ts";
import { inTimeRange } from "../../metrics/reading/select.ts";
import { type ReadingFormat, readingFormats } from "../../metrics/reading-writer.ts";
import { openRecorder, type Recorder } from "../../metrics/recorder/recorder.ts";
import { readRotation } from "../../metrics/recorder/rotation.ts";
import { openConverter, type ParquetConverter } from "../../metrics/recorder/to-parquet.ts";
import { WireFault } from "../../metrics/wire/fields.ts";
import { fullPath } from "../../system/files.ts";
import { filterFlags, selection } from "./flags.ts";
import { endPrinting, type Print, printer } from "./print-received.ts";

/** Flags of commands that receive readings until they are interrupted. */
export const recordFlags = {
  to: text("append to a file; prints only with an output format", { placeholder: "FILE" }),
  rotate: text("with --to: start a new file at this size (100M, 1GiB) or time (15m, 1h, 1d)", {
    placeholder: "SIZE|TIME",
  }),
  keep: integer("with --rotate: remove all but the newest N rotated files", { min: 1 }),
  format: choice(
    [...readingFormats, "parquet"],
    "output format (ndjson; text on a terminal); parquet converts rotated files",
  ),
  count: integer("stop after this many readings", { min: 1 }),
  utc: toggle("with --format text: show times in UTC instead of local time"),
  ...filterFlags,
};

/** How recording is described in the help of these commands. */
export const recordDetails =
  "With --to, appends the readings to a file, each preceded by its varint length, as decode reads them. An incomplete " +
  "reading at its end, as a crash leaves it, is removed first. Only one process can record to a file. While the disk is " +
  "full, new readings are lost, and the exit code is then 11. --rotate renames the file to its name and the time in UTC " +
  "(readings.20261122T060000Z.bin); with 1h, at each full hour of UTC. With --format parquet, each rotated file is converted " +
  "to Parquet, read back, and then replaced by the Parquet file. SIGHUP reopens the file. Recording does not " +
  "wait for the reader of stdout: readings that it is too slow for are recorded, not printed.";

/** What takes in readings, once it has started. */
export interface Receiver {
  readonly close: () => Promise<void>;
}

/** Starts to receive. `onReading` returns a promise if the sender should wait; what cannot make it wait ignores that. */
type Start = (onReading: (encoded: Uint8Array, reading: Reading) => Promise<void> | undefined) => Promise<Receiver>;

const tickMilliseconds = 1000;

/**
 * Receives readings until interrupted or `--count`; records and prints those that the flags select. If the reader of stdout
 * is too slow, the sender waits if `senderWaits` says that it can and nothing is recorded; otherwise readings are not
 * printed, and counted.
 */
export async function recordSession(
  context: Pick<PlainContext, "system" | "options" | "out"> & { readonly flags: FlagValues<typeof recordFlags> },
  { senderWaits }: { readonly senderWaits: boolean },
  start: Start,
): Promise<ExitName | undefined> {
  const { system, options, out, flags } = context;
  const { count = Number.POSITIVE_INFINITY } = flags;
  const to = flags.to === "-" ? undefined : flags.to;
  const rotate = readRotation(flags.rotate);
  if (to === undefined && rotate !== undefined) throw new UsageError("--rotate requires --to FILE");
  if (rotate === undefined && flags.keep !== undefined) throw new UsageError("--keep requires --rotate");
  const { filter, timeRange } = selection(flags, system.now());
  const toParquet = flags.format === "parquet";
  if (toParquet && rotate === undefined) throw new UsageError("--format parquet requires --to FILE and --rotate");
  if (toParquet && to?.endsWith(".parquet")) {
    const hint = "Rotated files are converted to such files: use another ending, such as .bin.";
    throw new UsageError("--to FILE must not end in .parquet with --format parquet", hint);
  }
  const given = flags.format === "parquet" ? undefined : flags.format;
  const format = formatOf(options, given) ?? (to === undefined ? usualFormat(system.stdout.isTTY) : undefined);
  const { now } = system;
  const warn = (message: string) => out.warn(message);
  const { signal } = system;
  let converter: ParquetConverter | undefined;
  const onRotated = (file: string) => converter?.add(file);
  const file = to === undefined ? undefined : { path: fullPath(to, system), keep: flags.keep };
  const recorder =
    file === undefined || to === undefined
      ? undefined
      : await openRecorder({ ...file, name: to, rotate, onRotated, now, warn });
  // Only the process that holds the recording may convert its files.
  if (toParquet && file !== undefined) converter = openConverter({ ...file, signal, now, warn });
  const waits = senderWaits && recorder === undefined;
  let received = 0;

  async function receive(print: Print | undefined): Promise<void> {
    let printing = print;
    let finish = () => {};
    let fail = (_error: unknown) => {};
    const done = new Promise<void>((resolved, rejected) => {
      finish = resolved;
      fail = rejected;
    });
    const onReading = (encoded: Uint8Array, reading: Reading) => {
      if (received >= count || !inTimeRange(reading, timeRange) || filter?.(reading) === false) return undefined;
      received += 1;
      try {
        recorder?.record(encoded);
        printing?.reading(encoded);
      } catch (error) {
        if (error instanceof WireFault) out.warn(`Could not print a reading: ${error.message}`);
        // Recording does not depend on who reads the output.
        else if (error instanceof OutputClosed && recorder !== undefined) printing = undefined;
        else fail(error);
      }
      if (received === count) finish();
      return waits && printing?.isFull() ? printing.drained().catch(fail) : undefined;
    };
    const receiver = await start(onReading);
    const stopListening = system.onHangup?.(() => recorder?.reopen());
    const timer = setInterval(() => recorder?.tick(), tickMilliseconds);
    system.signal.addEventListener("abort", () => finish(), { once: true });
    try {
      if (!system.signal.aborted) await done;
    } finally {
      clearInterval(timer);
      await receiver.close();
      stopListening?.();
      if (printing !== undefined) await endPrinting(printing, system.signal, warn);
    }
  }

  try {
    if (format === undefined) await receive(undefined);
    else {
      const json = format === "json" || format === "ndjson";
      const { utc } = flags;
      const printTo = async (sink: LiveSink) => receive(await printer(sink, { format, utc, waits, warn }));
      await withLiveSink(system, printTo, { json });
    }
    await converter?.finished();
  } finally {
    recorder?.close();
  }
  return report(received, recorder, out);
}

function report(received: number, recorder: Recorder | undefined, out: PlainContext["out"]): ExitName | undefined {
  const lost = recorder?.lost() ?? 0;
  const readings = `${received} ${received === 1 ? "reading" : "readings"}`;
  if (lost === 0) out.note(`Received ${readings}`);
  else out.warn(`Received ${readings}; ${lost} could not be written`);
  return lost === 0 ? undefined : "partly";
}

function formatOf({ jsonl, csv, json }: PlainContext["options"], given?: ReadingFormat): ReadingFormat | undefined {
  return given ?? (jsonl ? "ndjson" : csv ? "csv" : json === undefined ? undefined : "json");
}

function usualFormat(terminal: boolean | undefined): ReadingFormat {
  return terminal === true ? "text" : "ndjson";
}
