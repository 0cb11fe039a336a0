import { createHash } from "node:crypto";
import { numberColumns } from "./schema.ts";
import type { Cell } from "./series-table.ts";

/** A digest of rows in any order. */
export interface RowDigest {
  /** Adds a row: a number for its series (see `seriesDigest`), and its 64-bit cells. */
  readonly add: (series: number, cells: RowCells) => void;
  /** The number of rows and the digest; equal for the same rows, and for others only by chance (1 in 2^64). */
  readonly text: () => string;
}

/** The cells of a row in `numberColumns`: words in pairs, low and high. `present` has a bit for each that is not null. */
export interface RowCells {
  readonly words: Int32Array;
  present: number;
}

/** Creates a row without cells. */
export function emptyCells(): RowCells {
  return { words: new Int32Array(2 * numberColumns.length), present: 0 };
}

/** Creates the digest of no rows. */
export function createRowDigest(): RowDigest {
  let rows = 0;
  let [high, low] = [0, 0];

  function add(series: number, { words, present }: RowCells): void {
    // Two hashes as of MurmurHash3, with different starts.
    let one = mix(present, series | 0);
    let other = mix(~present, Math.floor(series / 2 ** 32));
    for (let at = 0; at < words.length; at += 1) {
      if (((present >>> (at >>> 1)) & 1) === 0) continue;
      const word = words[at] ?? 0;
      one = mix(one, word);
      other = mix(other, word ^ at);
    }
    high = (high + end(one)) | 0;
    low = (low + end(other ^ one)) | 0;
    rows += 1;
  }

  return { add, text: () => `${rows} ${high} ${low}` };
}

/** A number of 48 bits for the cells that all rows of a series share. */
export function seriesDigest(cells: readonly Cell[]): number {
  const hash = createHash("sha256").update(JSON.stringify(cells)).digest();
  return hash.readUIntBE(0, 6);
}

function mix(hash: number, word: number): number {
  let key = Math.imul(word, 0xcc9e2d51);
  key = Math.imul((key << 15) | (key >>> 17), 0x1b873593);
  const mixed = hash ^ key;
  return Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64;
}

function end(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
