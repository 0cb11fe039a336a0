import type { Fields } from "../decode/fields.ts";
import { growing } from "../series/columns.ts";

// Samples are kept in blocks, and blocks in segments: an array for each of a million metrics would not fit into memory.
const blockSize = 2;
const segmentBlocks = 32_768;
const segmentSize = blockSize * segmentBlocks;

/** Values with their times. A value is a double or the halves of an integer, low first, in the same 8 bytes. */
export interface Samples {
  readonly doubles: Float64Array;
  readonly halves: Uint32Array;
  readonly seconds: Float64Array;
  readonly nanos: Int32Array;
  /** 1 with a time. */
  readonly timed: Uint8Array;
}

/** Creates an empty store for the samples of many metrics; `add` starts one and returns its number. */
export function createSampleStore() {
  const metrics = growing();
  // The first and the last block, plus 1: 0 is none.
  const [first, last, counts] = [metrics.ints(), metrics.ints(), metrics.ints()];
  const blocks = growing();
  const following = blocks.ints();
  const segments: Samples[] = [];

  function newBlock(metric: number): void {
    const created = blocks.add();
    if (created % segmentBlocks === 0) segments.push(createSegment());
    const before = last.at[metric] ?? 0;
    if (before === 0) first.at[metric] = created + 1;
    else following.at[before - 1] = created + 1;
    last.at[metric] = created + 1;
  }

  /** Adds a value of a reading; `isDouble` for a gauge. */
  function push(metric: number, { low, high, gauges, time }: Fields, index: number, isDouble: boolean) {
    const count = counts.at[metric] ?? 0;
    if (count % blockSize === 0) newBlock(metric);
    counts.at[metric] = count + 1;
    const block = (last.at[metric] ?? 0) - 1;
    const segment = segments[Math.floor(block / segmentBlocks)];
    if (segment === undefined) return;
    const at = (block % segmentBlocks) * blockSize + (count % blockSize);
    if (isDouble) segment.doubles[at] = gauges[index] ?? 0;
    else {
      segment.halves[2 * at] = low[index] ?? 0;
      segment.halves[2 * at + 1] = high[index] ?? 0;
    }
    segment.timed[at] = time.isSet ? 1 : 0;
    segment.seconds[at] = time.isSet ? time.seconds : 0;
    segment.nanos[at] = time.isSet ? time.nanos : 0;
  }

  /**
   * Calls `use` with each sample of a metric in the order of their times; without those that have none, if others have one.
   * Returns how many it left out.
   */
  function each(metric: number, use: (samples: Samples, at: number) => void): number {
    const count = counts.at[metric] ?? 0;
    const places = new Float64Array(count);
    let block = first.at[metric] ?? 0;
    for (let index = 0; index < count; index += 1) {
      places[index] = (block - 1) * blockSize + (index % blockSize);
      if (index % blockSize === blockSize - 1) block = following.at[block - 1] ?? 0;
    }
    const orderOf = (place: number) => {
      const { seconds, nanos } = segmentOf(place);
      return (seconds[place % segmentSize] ?? 0) + (nanos[place % segmentSize] ?? 0) / 1e9;
    };
    let isSorted = true;
    for (let index = 1; index < count && isSorted; index += 1)
      isSorted = orderOf(places[index - 1] ?? 0) <= orderOf(places[index] ?? 0);
    if (!isSorted) places.sort((one, other) => orderOf(one) - orderOf(other));
    const isTimed = (place: number) => segmentOf(place).timed[place % segmentSize] === 1;
    const kept = places.some(isTimed) ? places.filter(isTimed) : places;
    for (const place of kept) use(segmentOf(place), place % segmentSize);
    return count - kept.length;
  }

  function segmentOf(place: number): Samples {
    const segment = segments[Math.floor(place / segmentSize)];
    if (segment === undefined) throw new RangeError("no such sample");
    return segment;
  }

  return { add: metrics.add, push, each };
}

function createSegment(): Samples {
  const doubles = new Float64Array(segmentSize);
  return {
    doubles,
    halves: new Uint32Array(doubles.buffer),
    seconds: new Float64Array(segmentSize),
    nanos: new Int32Array(segmentSize),
    timed: new Uint8Array(segmentSize),
  };
}
