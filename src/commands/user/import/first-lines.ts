/** The line that each text of a file, in any case, was first on. */
export interface FirstLines {
  /** Notes a text, and returns the line it was on before, if it was. */
  readonly note: (text: string, line: number) => number | undefined;
  readonly has: (text: string) => boolean;
}

/** So many texts are kept as they are: that is faster while they are few. */
const few = 4_096;

/** For each text: two halves of its hash, and its line. */
const cell = 3;

/** Notes the lines of any number of texts in little memory. */
export function firstLines(): FirstLines {
  const texts = new Map<string, number>();
  let hashes: FirstLines | undefined;

  function hashAll(): FirstLines {
    const table = hashTable();
    for (const [text, line] of texts) table.note(text, line);
    texts.clear();
    return table;
  }

  return {
    note(text, line) {
      const lower = text.toLowerCase();
      if (hashes !== undefined) return hashes.note(lower, line);
      const first = texts.get(lower);
      if (first !== undefined) return first;
      texts.set(lower, line);
      if (texts.size > few) hashes = hashAll();
      return undefined;
    },
    has: (text) => (hashes ?? texts).has(text.toLowerCase()),
  };
}

/**
 * Keeps a hash of 64 bits for each text instead of the text, in 24 to 48 bytes of one array. Among a million texts, one
 * chance in thirty million takes two of them for one.
 */
function hashTable(): FirstLines {
  let room = 1024;
  let table = new Uint32Array(room * cell);
  let count = 0;

  /** The place of a hash, or the free one where it belongs. Line 0 is free. */
  function placeOf(high: number, low: number): number {
    for (let slot = low & (room - 1); ; slot = (slot + 1) & (room - 1)) {
      const at = slot * cell;
      if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
    }
  }

  function grow(): void {
    const old = table;
    room *= 2;
    table = new Uint32Array(room * cell);
    for (let at = 0; at < old.length; at += cell) {
      if (old[at + 2] !== 0) table.set(old.subarray(at, at + cell), placeOf(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }

  return {
    note(text, line) {
      const [high, low] = hashOf(text);
      const at = placeOf(high, low);
      const first = table[at + 2];
      if (first !== 0) return first;
      table.set([high, low, line], at);
      count += 1;
      if (count * 2 > room) grow();
      return undefined;
    },
    has(text) {
      return table[placeOf(...hashOf(text)) + 2] !== 0;
    },
  };
}

/** Two halves that are mixed with different factors (as MurmurHash3 ends), so that they do not collide together. */
function hashOf(text: string): [high: number, low: number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}
