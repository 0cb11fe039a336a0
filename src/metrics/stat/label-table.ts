import { growing } from "../series/columns.ts";

const initialSlots = 1024;

/** Creates a table for rows of so many labels, each once: of millions of rows, a text that repeats is stored once. */
export function createLabelTable(width: number) {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const rows = growing();
  const columns = Array.from({ length: width }, () => rows.ints());
  // A hash table of row numbers plus 1; 0 is free.
  let slots = new Int32Array(initialSlots);
  const wanted = new Int32Array(width);

  function hashOf(numberAt: (column: number) => number): number {
    let hash = 0;
    for (let column = 0; column < width; column += 1) {
      hash = Math.imul(hash ^ numberAt(column), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  const wantedAt = (column: number) => wanted[column] ?? 0;

  /** The slot of the wanted row, or the free one where it belongs. */
  function slotOfWanted(): number {
    for (let slot = hashOf(wantedAt) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const row = (slots[slot] ?? 0) - 1;
      if (row < 0) return slot;
      let column = 0;
      while (column < width && columns[column]?.at[row] === wanted[column]) column += 1;
      if (column === width) return slot;
    }
  }

  /** The number of the row with these labels; -1 if there is none. */
  function find(labels: readonly string[]): number {
    for (let column = 0; column < width; column += 1) {
      const number = numbers.get(labels[column] ?? "");
      if (number === undefined) return -1;
      wanted[column] = number;
    }
    return (slots[slotOfWanted()] ?? 0) - 1;
  }

  function numberOf(label: string): number {
    const known = numbers.get(label);
    if (known !== undefined) return known;
    numbers.set(label, texts.length);
    texts.push(label);
    return texts.length - 1;
  }

  function enlarge(): void {
    slots = new Int32Array(slots.length * 4);
    for (let row = 0; row < rows.size(); row += 1) {
      columns.forEach(({ at }, column) => {
        wanted[column] = at[row] ?? 0;
      });
      slots[slotOfWanted()] = row + 1;
    }
  }

  /** Adds a row that `find` did not find, and returns its number. */
  function add(labels: readonly string[]): number {
    if (rows.size() * 2 >= slots.length) enlarge();
    const row = rows.add();
    columns.forEach(({ at }, column) => {
      const number = numberOf(labels[column] ?? "");
      at[row] = number;
      wanted[column] = number;
    });
    slots[slotOfWanted()] = row + 1;
    return row;
  }

  /** The numbers of the rows in the order of their labels: sorts by one after another, from the last to the first: each time, rows with the same label keep their order. */
  function sorted(): Int32Array {
    const ranks = new Int32Array(texts.length);
    const alphabetic = texts.map((_, number) => number);
    alphabetic.sort((one, other) => ((texts[one] ?? "") < (texts[other] ?? "") ? -1 : 1));
    alphabetic.forEach((number, rank) => {
      ranks[number] = rank;
    });
    let [order, next] = [new Int32Array(rows.size()), new Int32Array(rows.size())];
    for (let row = 0; row < order.length; row += 1) order[row] = row;
    for (const { at } of columns.toReversed()) {
      const places = new Int32Array(texts.length + 1);
      const rankOf = (row: number) => ranks[at[row] ?? 0] ?? 0;
      for (const row of order) places[rankOf(row) + 1] = (places[rankOf(row) + 1] ?? 0) + 1;
      for (let rank = 1; rank < places.length; rank += 1) places[rank] = (places[rank] ?? 0) + (places[rank - 1] ?? 0);
      for (const row of order) {
        const place = places[rankOf(row)] ?? 0;
        places[rankOf(row)] = place + 1;
        next[place] = row;
      }
      [order, next] = [next, order];
    }
    return order;
  }

  const labels = (row: number) => columns.map(({ at }) => texts[at[row] ?? 0] ?? "");
  return { find, add, labels, size: rows.size, sorted };
}
