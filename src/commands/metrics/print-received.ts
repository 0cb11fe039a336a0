import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { LiveSink } from "../../metrics/live-output.ts";
import { createReadingWriter, type ReadingFormat } from "../../metrics/reading-writer.ts";
import type { MessageHandler } from "../../metrics/stream/messages.ts";
import { sizeText } from "../../text/format.ts";

// Output that waits for its reader, in bytes; about five thousand readings.
const maxWaiting = 1024 * 1024;

// How long the reader may take to read the rest after an interruption.
const graceMilliseconds = 1000;

/** What prints readings as they are received. */
export type Print = Awaited<ReturnType<typeof printer>>;

/** How readings are printed. */
export interface PrintOptions {
  readonly format: ReadingFormat;
  readonly utc: boolean;
  /** Whether the sender waits while too much waits for the reader of stdout. */
  readonly waits: boolean;
  readonly warn: (message: string) => void;
}

/** Creates a printer. While too much waits for the reader of stdout, it leaves readings out, unless the sender waits. */
export async function printer(sink: LiveSink, { format, utc, waits, warn }: PrintOptions) {
  // Accept strings that are not UTF-8, because collectd sends them.
  const writer = createReadingWriter(sink, { format, utc, lenient: true });
  /** How many readings were not printed, because too much waited. */
  let leftOut = 0;
  /** Whether more waits for the reader of stdout than should. */
  const isFull = () => sink.waiting() > maxWaiting;
  return {
    reading: (...message: Parameters<MessageHandler>) => {
      if (!waits && isFull()) {
        leftOut += 1;
        if (leftOut === 1) warn("Output is being read too slowly; some readings were not printed");
        return;
      }
      writer.handle(...message);
      // A write error is thrown by the next write, too.
      void writer.flush()?.catch(() => {});
    },
    isFull,
    drained: async () => sink.drained(),
    end: async () => writer.end(),
    waiting: sink.waiting,
    leftOut: () => leftOut,
  };
}

/** Prints the end. After an interruption, does not wait long for a reader that does not read. */
export async function endPrinting(print: Print, signal: AbortSignal, warn: (message: string) => void): Promise<void> {
  const given = async () => {
    if (!signal.aborted) await once(signal, "abort");
    await wait(graceMilliseconds, undefined, { ref: false });
  };
  const leftOut = print.leftOut();
  if (leftOut > 0) warn(`${leftOut} ${leftOut === 1 ? "reading was" : "readings were"} not printed`);
  await Promise.race([print.end(), given()]);
  if (print.waiting() > 0) warn(`${sizeText(print.waiting())} of output were never read`);
}
