import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { Failure } from "../../failure/failure.ts";
import { createDecoder, type Decoder } from "../decode/decoder.ts";
import { requireNanoseconds } from "../formats/check-time.ts";
import { faultOf } from "../formats/printer.ts";
import { removeScratch } from "../scratch.ts";
import { faultText } from "../stream/messages.ts";
import { type ReadOptions, readMessages } from "../stream/read-messages.ts";
import { fileSource } from "../stream/source.ts";
import { createParquetOutput } from "./output.ts";
import { digestOfFile } from "./read-back.ts";
import { createReadingDigest } from "./reading-digest.ts";

/** What to convert. */
export interface Conversion {
  /** A recording of delimited messages. */
  readonly recording: string;
  /** The Parquet file to create. It must not exist, and no other process may be writing it. */
  readonly target: string;
  readonly signal: Pick<AbortSignal, "throwIfAborted">;
}

/**
 * Converts a recording to a Parquet file, reads the file back, and only if all rows are equal replaces the recording by
 * it. Throws a `Failure`, and leaves the recording and no Parquet file, if the recording is damaged or has a time that
 * Parquet cannot hold, the target exists, or what was read back is different. Strings that are not UTF-8 are accepted.
 */
export async function convertRecording({ recording, target, signal }: Conversion): Promise<void> {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw new Failure("exists", `${target} already exists`);
  removeScratch(target);
  const checkAborted = () => signal.throwIfAborted();
  const { printer, relieve, finish, publish, discard } = createParquetOutput(target, []);
  try {
    const expected = createReadingDigest();
    const decoder = createDecoder({
      lenient: true,
      tail: printer.tail,
      added: (entry, fields) => {
        expected.forget(entry);
        printer.added?.(entry, fields);
      },
    });
    await eachReading(recording, decoder, { checkAborted, onIdle: () => relieve(checkAborted) }, (entry) => {
      requireNanoseconds(decoder.fields.time);
      printer.print(decoder.fields, decoder.tails, entry);
      expected.add(decoder.fields, entry);
    });
    for (const scratch of await finish(checkAborted)) {
      if ((await digestOfFile(scratch, checkAborted)) === expected.text()) continue;
      const hint = `${recording} was left as it is.`;
      throw new Failure("conversion", `${recording} was not written correctly as Parquet`, { hint });
    }
    await publish(checkAborted);
    // It may have been removed meanwhile as one of the oldest.
    rmSync(recording, { force: true });
  } finally {
    discard();
  }
}

async function eachReading(
  recording: string,
  { read }: Decoder,
  handlers: Pick<ReadOptions, "checkAborted" | "onIdle">,
  consume: (entry: number) => void,
): Promise<void> {
  const fd = openSync(recording, "r");
  try {
    const { fault } = await readMessages(fileSource(fd), {
      framing: "delimited",
      handle: (bytes, view, start, end) => {
        try {
          consume(read(bytes, view, start, end));
        } catch (error) {
          throw faultOf(error, start);
        }
        return true;
      },
      ...handlers,
    });
    if (fault !== undefined) throw new Failure("bad_data", `${recording}: ${faultText(fault)}`);
  } finally {
    closeSync(fd);
  }
}
