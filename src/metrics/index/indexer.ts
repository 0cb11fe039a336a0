import { createDecoder } from "../decode/decoder.ts";
import { seriesOf } from "../decode/series.ts";
import { identityParts, type Named, partOf } from "../reading/identity.ts";
import { WireFault } from "../wire/fields.ts";
import { type IndexBlock, indexRecord, type LoadedIndex, markOf } from "./format.ts";

/** Takes in the readings of a recording in their order. */
export interface Indexer {
  /**
   * Adds the reading from `start` to `end`, whose length is at `frame`, which is byte `at` of the recording. The view
   * extends `slack` bytes past `end`. Returns false for a message that is not valid, which is not added.
   */
  readonly add: (bytes: Uint8Array, view: DataView, place: Place) => boolean;
  /** Writes the block that is not full. */
  readonly end: () => void;
}

/** Where a reading is. */
export interface Place {
  readonly frame: number;
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

// Small enough for ten seconds of a large recording; the lists of its series are then at most some percent of it.
const blockSize = 256 * 1024;

// More would take too much memory while recording; their blocks are read for all series.
const maxSeries = 131_072;

/** Creates an indexer, which goes on behind the blocks of `known`. `write` gets the record of each block. */
export function createIndexer(write: (record: Uint8Array) => void, known?: LoadedIndex): Indexer {
  const series = new Map<string, number>();
  const last = known?.blocks.at(-1);
  let messages = last === undefined ? 0 : last.messages + last.count;
  // By the entry of the decoder: the number of the series. By that number: the last block that has it.
  const numbers: number[] = [];
  const inBlock: number[] = [];
  let blocks = known?.blocks.length ?? 0;
  let block: { -readonly [K in keyof IndexBlock]: IndexBlock[K] } | undefined;
  let added: Named[] = [];
  let members: number[] = [];
  known?.eachSeries((one) => void numberOf(one));
  added = [];

  function numberOf(one: Named): number {
    const key = JSON.stringify([identityParts.map((part) => partOf(one, part)), one.ds_names]);
    const known = series.get(key);
    if (known !== undefined) return known;
    if (series.size === maxSeries) return maxSeries;
    const number = series.size;
    series.set(key, number);
    added.push(one);
    return number;
  }

  const { fields, read } = createDecoder({
    lenient: true,
    tail: () => ({ texts: [], tag: 0 }),
    added: (entry, one) => {
      numbers[entry] = numberOf(seriesOf(one));
    },
  });

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
    const number = numbers[entry] ?? 0;
    if (inBlock[number] !== blocks) members.push(number);
    inBlock[number] = blocks;
    return true;
  }

  function finish(): void {
    if (block === undefined) return;
    const record = indexRecord(
      block,
      added,
      members.sort((one, other) => one - other),
    );
    block = undefined;
    [added, members] = [[], []];
    write(record);
  }

  return { add, end: finish };
}
