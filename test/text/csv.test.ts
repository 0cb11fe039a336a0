import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/text/csv.ts";
import { choicesFrom } from "../support/random.ts";

describe("readCsv", () => {
  it("reads the same records as csv-parse, for any quotes and line ends", async () => {
    const { below, pick } = choicesFrom(7);
    for (let round = 0; round < 500; round += 1) {
      const end = pick(["\n", "\r\n", "\r"]);
      const quotedFrom = pick([0, 3, 6, 99]);
      const value = (row: number) => {
        if (row >= quotedFrom && below(3) === 0)
          return pick(['"a, b"', '"say ""ahoy"""', '"two\nlines"', '"two\r\nlines"', '"two\rlines"', '""']);
        return pick(["", "mara", "jonas lund", "ø", " x "]);
      };
      const rows = Array.from({ length: below(10) }, (_, row) =>
        below(6) === 0 ? "" : Array.from({ length: 1 + below(3) }, () => value(row)).join(","),
      );
      const text = rows.join(end) + pick(["", end]);
      const options = {
        info: true,
        relax_column_count: true,
        skip_empty_lines: true,
        record_delimiter: ["\r\n", "\n", "\r"],
      };
      const expected = parse(text, options) as unknown as { record: string[] }[];
      const found = await readCsv(text);
      expect(found.map((record) => "values" in record && record.values, text)).toEqual(
        expected.map(({ record }) => record),
      );
      expect(
        found.map(({ line }) => line),
        JSON.stringify(text),
      ).toEqual(linesOf(rows));
    }
  });

  it.each([
    ["a;b,c\n1;2,3;4", ["a;b|c", "1;2|3;4"]],
    ['a;b;c,d\r\n1;2,3;"4;\r\n5"\r\n', ["a|b|c,d", "1|2,3|4;\r\n5"]],
    ["a\tb\n1\t2\n", ["a|b", "1|2"]],
    ["sep=;\r\na\r\n1;2\r\n", ["a", "1|2"]],
    ["sep=,\na,b;c;d\n1,2\n", ["a|b;c;d", "1|2"]],
    ['a;"b"', ["a|b"]],
  ])("separates values by what the first line has most of, or says: %j", async (text, expected) => {
    const found = await readCsv(text);
    expect(found.map((record) => ("values" in record ? record.values.join("|") : record.error))).toEqual(expected);
    expect(found[0]?.line).toBe(text.startsWith("sep=") ? 2 : 1);
  });

  it("yields the records before a syntax error, and the line of the error", async () => {
    const records = await readCsv('a,b\n1,2\n3,4\n5,"x" y\n6,7\n');
    expect(records.slice(0, 3)).toEqual([
      { line: 1, values: ["a", "b"] },
      { line: 2, values: ["1", "2"] },
      { line: 3, values: ["3", "4"] },
    ]);
    expect(records.slice(3)).toEqual([{ line: 4, error: expect.stringContaining("Quote") }]);
  });
});

/** The lines on which rows start, without empty rows. */
function linesOf(rows: readonly string[]): number[] {
  let line = 1;
  return rows.flatMap((row) => {
    const first = line;
    line += row.split(/\r\n|\n|\r/).length;
    return row === "" ? [] : [first];
  });
}
