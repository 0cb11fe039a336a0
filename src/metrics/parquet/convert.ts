import { createHash, type Hash } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { Failure } from "../../failure/failure.ts";
import { createDecoder } from "../decode/decoder.ts";
import type { Fields } from "../decode/fields.ts";
import { doubleText } from "../reading/values.ts";
import { removeScratch } from "../scratch.ts";
import { faultText } from "../stream/messages.ts";
import { readMessages } from "../stream/read-messages.ts";
import { fileSource } from "../stream/source.ts";
import { createParquetFile } from "./file.ts";
import { type Cell, canHoldTime, columnNames, rowsOf, type SeriesCells, seriesCells } from "./rows.ts";

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
 * it. Returns the number of rows. Throws a `Failure`, and leaves the recording and no Parquet file, if the recording is
 * damaged or has a time that Parquet cannot hold, the target exists, or what was read back is different. Strings that are
 * not UTF-8 are accepted.
 */
export async function convertRecording({ recording, target, signal }: Conversion): Promise<number> {
  if (existsSync(target)) throw new Failure("exists", `${target} already exists`);
  removeScratch(target);
  const file = createParquetFile(target);
  try {
    const written = createHash("sha256");
    let rows = 0;
    await eachReading(recording, signal, (fields, series) => {
      if (!canHoldTime(fields)) throw new Failure("bad_time", timeProblem);
      file.add(fields, series);
      for (const row of rowsOf(fields, series)) {
        addRow(written, row);
        rows += 1;
      }
    });
    const scratch = file.finish();
    const found = await digestOf(scratch, signal);
    if (found.rows !== rows || found.digest !== written.digest("hex")) {
      const hint = `${recording} was left as it is.`;
      throw new Failure("conversion", `${recording} was not written correctly as Parquet`, { hint });
    }
    renameSync(scratch, target);
    rmSync(recording);
    return rows;
  } finally {
    file.discard();
  }
}

// Milliseconds sent as seconds, for example.
const timeProblem = "the time of a reading is outside the years 1678 to 2261, which Parquet cannot hold";

async function eachReading(
  recording: string,
  signal: Conversion["signal"],
  consume: (fields: Fields, series: SeriesCells) => void,
): Promise<void> {
  const cellsOf = seriesCells();
  const cells: SeriesCells[] = [];
  const added = (entry: number, one: Fields) => {
    cells[entry] = cellsOf(one);
  };
  const { fields, read } = createDecoder({ lenient: true, tail: () => ({ texts: [], tag: 0 }), added });
  const fd = openSync(recording, "r");
  try {
    const { fault } = await readMessages(fileSource(fd), {
      framing: "delimited",
      handle: (bytes, view, start, end) => {
        const series = cells[read(bytes, view, start, end)];
        if (series !== undefined) consume(fields, series);
        return true;
      },
      onIdle: () => undefined,
      skip: () => false,
      checkAborted: () => signal.throwIfAborted(),
    });
    if (fault !== undefined) throw new Failure("bad_data", `${recording}: ${faultText(fault)}`);
  } finally {
    closeSync(fd);
  }
}

/** The number of rows of a Parquet file, and a digest of them in order. */
async function digestOf(path: string, signal: Conversion["signal"]): Promise<{ rows: number; digest: string }> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const hash = createHash("sha256");
  let rows = 0;
  for (const group of metadata.row_groups) {
    signal.throwIfAborted();
    const end = rows + Number(group.num_rows);
    // Dates would lose microseconds.
    const parsers = { timestampFromMicroseconds: (microseconds: bigint) => microseconds };
    const found = await parquetReadObjects({ file, metadata, rowStart: rows, rowEnd: end, parsers });
    for (const one of found)
      addRow(
        hash,
        columnNames.map((name) => one[name]),
      );
    rows = end;
  }
  return { rows, digest: hash.digest("hex") };
}

function addRow(hash: Hash, row: readonly (Cell | undefined)[]): void {
  hash.update(
    JSON.stringify(row.map((cell) => (typeof cell === "number" ? doubleText(cell) : (cell?.toString() ?? null)))),
  );
}
