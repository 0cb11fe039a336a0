import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rowWords } from "../../../src/metrics/parquet/sort-rows.ts";
import { createSorter } from "../../../src/metrics/parquet/sorter.ts";
import { emptyFolder } from "../../support/tongs.ts";

/** Rows as they come out: series, time, and the number that each was given. */
function* rowsOf(sorter: ReturnType<typeof createSorter>) {
  for (const { rows, start, end } of sorter.sorted()) {
    for (let row = start; row < end; row += 1) {
      const [series = 0, high = 0, low = 0, , number = 0] = rows.subarray(row * rowWords, (row + 1) * rowWords);
      yield { series, time: BigInt(high) * 2n ** 32n + BigInt(low >>> 0), number };
    }
  }
}

describe("the sorter of rows", () => {
  test("sorts by the ranks of series, then by time, also before 1970 and above 31 bits, and keeps equal rows in order", () => {
    const sorter = createSorter(() => Int32Array.of(1, 0, 1), emptyFolder);
    const times = [5n, -1n, 2n ** 31n, 2n ** 32n, 5n, -(2n ** 40n)];
    times.forEach((time, number) => {
      for (const series of [0, 1, 2])
        sorter.add(series, Number(time >> 32n), Number(BigInt.asIntN(32, time)), 0, number);
    });
    const numbers = [5, 1, 0, 4, 2, 3];
    expect([...rowsOf(sorter)].map(({ series, number }) => [series, number])).toEqual([
      ...numbers.map((number) => [1, number]),
      // Both series have the same name.
      ...[
        [0, 5],
        [2, 5],
        [0, 1],
        [2, 1],
        [0, 0],
        [2, 0],
        [0, 4],
        [2, 4],
        [0, 2],
        [2, 2],
        [0, 3],
        [2, 3],
      ],
    ]);
    sorter.close();
  });

  test("sorts more rows than memory holds by a file, which is removed", () => {
    const folder = emptyFolder();
    const count = 2_300_000;
    const ranks = Int32Array.from({ length: 1000 }, (_, series) => 999 - series);
    const sorter = createSorter(
      () => ranks,
      () => folder,
    );
    // All series in turn, and one second in a thousand late.
    for (let number = 0; number < count; number += 1)
      sorter.add(number % 1000, 0, Math.floor(number / 1000) - (number % 1_000_003 < 1000 ? 5 : 0), 0, number);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.rows\..*\.partial$/)]);
    let [rows, last, sum] = [0, { series: 1000, time: 0n }, 0];
    for (const { series, time, number } of rowsOf(sorter)) {
      if (series > last.series || (series === last.series && time < last.time)) expect(series).toBe("in order");
      last = { series, time };
      sum += number;
      rows += 1;
    }
    expect([rows, sum]).toEqual([count, (count * (count - 1)) / 2]);
    sorter.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
