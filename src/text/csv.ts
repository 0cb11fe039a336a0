import type { Options } from "csv-parse";

/** A CSV record with the line it starts on, from 1; or a syntax error, which is the last item. */
export type CsvRecord =
  | { readonly line: number; readonly values: readonly string[] }
  | { readonly line: number; readonly error: string };

/**
 * Reads CSV (RFC 4180; lines end with CRLF, LF or CR; empty lines are skipped). The values are separated by commas, or by
 * semicolons or TABs if the first line has more of them, or by what a first line `sep=;` says, as spreadsheets write it.
 */
export async function readCsv(text: string): Promise<CsvRecord[]> {
  const { CsvError, parse } = await import("csv-parse/sync");
  const [first = ""] = text.split(/\r\n|\n|\r/, 1);
  const said = /^sep=(.)$/.exec(first)?.[1];
  const count = (separator: string) => first.split(separator).length;
  const records: CsvRecord[] = [];
  // How far the lines that the parser counts are ahead: it counts CRLF within quotes as two.
  let ahead = 0;
  const options: Options = {
    delimiter: said ?? [",", ";", "\t"].reduce((most, one) => (count(one) > count(most) ? one : most)),
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    on_record(values: string[], { lines }) {
      const breaks = (what: RegExp) => values.reduce((sum, value) => sum + (value.match(what)?.length ?? 0), 0);
      records.push({ line: lines - ahead - breaks(/[\r\n]/g), values });
      ahead += breaks(/\r\n/g);
      return null;
    },
  };
  try {
    parse(text, options);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    records.push({ line: Number(error["lines"]) - ahead, error: error.message });
  }
  return said === undefined ? records : records.slice(1);
}
