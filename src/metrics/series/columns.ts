/** A column; `at` is replaced when the table grows. */
export interface Column<A> {
  at: A;
}

const initialRows = 256;

/** A table of numbers whose columns grow together. */
export type Columns = ReturnType<typeof growing>;

/** Creates an empty table. */
export function growing() {
  const grow: ((rows: number) => void)[] = [];
  let rows = 0;
  let capacity = initialRows;

  function column<A extends Float64Array | Int32Array | Uint8Array>(make: (length: number) => A): Column<A> {
    const created = { at: make(capacity) };
    grow.push((length) => {
      const larger = make(length);
      larger.set(created.at);
      created.at = larger;
    });
    return created;
  }

  /** Adds a row of zeros and returns its number. */
  function add(): number {
    if (rows === capacity) {
      // Copies are few this way, and what is not used yet takes no memory: the system provides pages when they are written.
      capacity *= 4;
      for (const one of grow) one(capacity);
    }
    rows += 1;
    return rows - 1;
  }

  return {
    doubles: () => column((length) => new Float64Array(length)),
    ints: () => column((length) => new Int32Array(length)),
    bytes: () => column((length) => new Uint8Array(length)),
    add,
    size: () => rows,
  };
}
