import { createDecoder } from "../decode/decoder.ts";
import { seriesOf } from "../decode/series.ts";
import { identityParts, type Named, partOf } from "../reading/identity.ts";
import { WireFault } from "../wire/fields.ts";
import { type IndexBlock, indexRecord, type LoadedIndex, markOf } from "./format.ts";

/** Where a reading is. */
export interface Place {
  readonly frame: number;
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

// Small enough for ten seconds of a large recording.
const blockSize = 256 * 1024;

// More would take too much memory while recording; their blocks are read for all series. So are those of series whose
// names would make the index larger than this part of what it is beside: they are listed with a later block, or never.
const maxSeries = 131_072;
const share = 0.04;

/** Creates an indexer, which goes on behind the blocks of `known`. `write` gets the record of each block. */
export function createIndexer(write: (record: Uint8Array) => void, known?: LoadedIndex) {
  const series = new Map<string, number>();
  const last = known?.blocks.at(-1);
  let messages = last === undefined ? 0 : last.messages + last.count;
  // By the entry of the decoder: the number of the series, and the last block that has it. By that number: the same.
  const numbers: (number | undefined)[] = [];
  const [entryIn, inBlock]: [number[], number[]] = [[], []];
  let blocks = known?.blocks.length ?? 0;
  let block: { -readonly [K in keyof IndexBlock]: IndexBlock[K] } | undefined;
  let members: number[] = [];
  // Those of the block that are not listed, and their size.
  let waiting = new Map<string, Named>();
  let waitingSize = 0;
  let size = known?.size ?? 0;
  known?.eachSeries((one) => series.set(keyOf(one), series.size));

  const { fields, read } = createDecoder({
    lenient: true,
    added: (entry) => {
      numbers[entry] = undefined;
      entryIn[entry] = -1;
    },
  });

  /** The number of the series of an entry; until the end of the block that of those that are not listed. */
  function numberOf(entry: number): number {
    const one = seriesOf(fields);
    const key = keyOf(one);
    numbers[entry] = series.get(key);
    if (numbers[entry] === undefined && waitingSize < share * blockSize && !waiting.has(key)) {
      waiting.set(key, one);
      waitingSize += sizeOf(one);
    }
    return numbers[entry] ?? (waiting.has(key) ? -1 : maxSeries);
  }

  /**
   * Adds the reading from `start` to `end`, whose length is at `frame`, which is byte `at` of the recording. The view
   * extends `slack` bytes past `end`. Returns false for a message that is not valid, which is not added.
   */
  function add(bytes: Uint8Array, view: DataView, { frame, start, end, at }: Place): boolean {
    let entry: number;
    try {
      entry = read(bytes, view, start, end);
    } catch (error) {
      if (error instanceof WireFault) return false;
      throw error;
    }
    const to = at + end - frame;
    if (block !== undefined && to - block.from > blockSize) finish();
    if (block === undefined) {
      const mark = markOf(bytes.subarray(frame, end));
      block = { from: at, to, messages, count: 0, since: Infinity, until: -Infinity, ...mark };
      blocks += 1;
    }
    const { isSet, seconds, nanos } = fields.time;
    if (isSet) {
      block.since = Math.min(block.since, seconds + nanos / 1e9);
      block.until = Math.max(block.until, seconds + nanos / 1e9);
    }
    block.to = to;
    block.count += 1;
    messages += 1;
    if (entryIn[entry] === blocks) return true;
    entryIn[entry] = blocks;
    const number = numbers[entry] ?? numberOf(entry);
    if (number < 0 || inBlock[number] === blocks) return true;
    members.push(number);
    inBlock[number] = blocks;
    return true;
  }

  function finish(): void {
    if (block === undefined) return;
    const added: Named[] = [];
    let most = share * block.to - size - members.length;
    for (const [key, one] of waiting) {
      most -= sizeOf(one);
      if (most < 0 || series.size === maxSeries) break;
      members.push(series.size);
      series.set(key, series.size);
      added.push(one);
    }
    if (added.length < waiting.size && inBlock[maxSeries] !== blocks) members.push(maxSeries);
    members.sort((one, other) => one - other);
    const record = indexRecord(block, added, members);
    size += record.length;
    block = undefined;
    [members, waiting, waitingSize] = [[], new Map(), 0];
    write(record);
  }

  return { add, end: finish };
}

function keyOf(one: Named): string {
  return JSON.stringify([identityParts.map((part) => partOf(one, part)), one.ds_names]);
}

/** About how many bytes the names of a series take. */
function sizeOf(one: Named): number {
  return [...identityParts.map((part) => partOf(one, part)), ...one.ds_names].reduce(
    (sum, text) => sum + text.length + 1,
    3,
  );
}
