// Values of all series together, about 32 MiB, and limits for one of them.
const budget = 4_194_304;
const most = 4096;
const least = 32;

/** Samples of the values of many series, for their quantiles. */
export interface Quantiles {
  readonly add: () => void;
  readonly push: (series: number, value: number) => void;
  /** The nearest-rank quantile; undefined without values. Exact until values were left out. */
  readonly of: (series: number, quantile: number) => number | undefined;
}

interface Kept {
  values: number[];
  seen: number;
  stride: number;
}

/**
 * Creates an empty table. A series keeps all of its values up to a limit (4096; fewer with more than 1,000 series), and
 * beyond it every second, fourth, and so on.
 */
export function createQuantiles(): Quantiles {
  const all: (Kept | undefined)[] = [];

  function push(series: number, value: number): void {
    const kept = all[series];
    if (kept === undefined) {
      all[series] = { values: [value], seen: 1, stride: 1 };
      return;
    }
    kept.seen += 1;
    if ((kept.seen - 1) % kept.stride !== 0) return;
    kept.values.push(value);
    const limit = Math.max(least, Math.min(most, Math.floor(budget / all.length)));
    while (kept.values.length > limit) {
      kept.values = kept.values.filter((_, index) => index % 2 === 0);
      kept.stride *= 2;
    }
  }

  return {
    add: () => {
      all.push(undefined);
    },
    push,
    of: (series, quantile) => {
      const values = all[series]?.values;
      if (values === undefined) return undefined;
      const sorted = Float64Array.from(values).sort();
      return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)];
    },
  };
}
