/** How important a column is when the terminal is too narrow. */
export type Rank = "key" | "normal" | "optional";

/** A column before it is fitted; widths are in columns of the terminal. */
export interface Fitting {
  /** The width that shows everything. */
  readonly natural: number;
  /** The width of the header. */
  readonly header: number;
  readonly flexible: boolean;
  readonly rank: Rank;
  /** It is never truncated. */
  readonly whole: boolean;
}

/** A column that is shown, by its index. */
export interface Fitted {
  readonly index: number;
  readonly width: number;
}

const gap = 2;
/** The width to which a flexible column is truncated before other columns are omitted. */
const least = { key: 30, other: 10 } as const;

/**
 * Fits columns to a width. In this order: optional columns are omitted, last first; flexible columns are truncated, the
 * widest first and the key last; further columns are omitted, last first, but neither the first one nor the key; and the
 * rest is truncated, but no whole column.
 */
export function fitColumns(columns: readonly Fitting[], width: number): Fitted[] {
  let kept = columns.map((column, index) => ({ ...column, index, width: column.natural }));
  const excess = () => kept.reduce((sum, one) => sum + one.width, gap * (kept.length - 1)) - width;
  const omitLast = (mayOmit: (column: (typeof kept)[number]) => boolean): boolean => {
    const last = kept.findLast(mayOmit);
    if (last === undefined) return false;
    kept = kept.filter((one) => one !== last);
    return true;
  };
  const truncate = (mayTruncate: (column: (typeof kept)[number]) => boolean, minimum: number): void => {
    for (let over = excess(); over > 0; over -= 1) {
      const wide = kept.filter((one) => mayTruncate(one) && one.width > minimum);
      const widest = wide.reduce<(typeof kept)[number] | undefined>(
        (most, one) => (most === undefined || one.width > most.width ? one : most),
        undefined,
      );
      if (widest === undefined) return;
      widest.width -= 1;
    }
  };

  while (excess() > 0 && omitLast(({ rank }) => rank === "optional"));
  truncate(({ flexible, rank }) => flexible && rank !== "key", least.other);
  truncate(({ rank, flexible }) => rank === "key" && flexible, least.key);
  while (excess() > 0 && omitLast(({ rank, index }) => rank !== "key" && index !== 0)) {
    // What was truncated gets the room of the omitted column.
    for (const one of kept) one.width = one.natural;
    truncate(({ flexible, rank }) => flexible && rank !== "key", least.other);
    truncate(({ rank, flexible }) => rank === "key" && flexible, least.key);
  }
  truncate(({ whole }) => !whole, 1);
  return kept.map(({ index, width: fitted }) => ({ index, width: Math.max(1, fitted) }));
}
