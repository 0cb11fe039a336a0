import type { RowGroup } from "hyparquet";
import Long from "long";
import { Failure } from "../../failure/failure.ts";
import { kindNames } from "../decode/series.ts";
import { readingFromJson } from "../encode/from-json.ts";
import type { Wanted } from "../index/ranges.ts";
import { encodeReading } from "../reading/codec.ts";
import { type IdentityPart, identityParts as identity } from "../reading/identity.ts";
import { pieceSource, type Source } from "../stream/source.ts";
import { createBlock } from "../wire/block.ts";
import { fromDisplayText } from "../wire/text.ts";
import { lengthSize, writeMoment, writeValue, writeVarint } from "../wire/write-fields.ts";
import { type ParquetColumns, parquetColumns, type RowRange, type Words } from "./read-columns.ts";
import { namesKey, seriesColumns } from "./schema.ts";
import { mayHave } from "./selection.ts";
import type { Cell } from "./series-table.ts";
import { compareTimes, rowWords, untimed } from "./sort-rows.ts";
import { momentOf } from "./times.ts";

/** What a row has in common with others of its series. */
interface Shared {
  readonly kind: Cell;
  readonly which: number;
  readonly interval: Cell;
  readonly meta: Cell;
}

/** The rows of a data source, from `at` to before `end`. */
interface Run {
  readonly name: string;
  at: number;
  end: number;
}

/** Data sources whose values of a time may be one reading, and what follows these values, by the number of `Shared`. */
interface Together {
  readonly names: readonly string[];
  readonly runs: readonly Run[];
  readonly tails: (Uint8Array | undefined)[];
}

// Kind, interval and metadata.
const others = seriesColumns.slice(seriesColumns.indexOf("kind"));
const pieceSize = 64 * 1024;
// The tag, length and content of a value and of a time.
const largest = 26;

/** The readings of an open Parquet file as a source; see `parquetReadings`. Reading throws a `Failure` if it is damaged, or not of tongs. */
export function parquetSource(fd: number, name: string, wanted: Wanted, host: string): Source {
  function* pieces(): Generator<Uint8Array> {
    try {
      yield* parquetReadings(fd, wanted, host);
    } catch (error) {
      const hint = "Use duckdb -c \"FROM 'FILE'\" to read other Parquet files.";
      throw new Failure("bad_data", `${name}: This Parquet file cannot be read: ${(error as Error).message}`, { hint });
    }
  }
  return pieceSource(pieces());
}

/**
 * The readings in a Parquet file that `decode --format parquet` or a conversion wrote, as pieces of delimited messages; some
 * are empty, as a pause. Row groups without what is wanted are skipped. Values of a time become the reading that they were,
 * by the names in the metadata of the file; without these, each is a reading. `host` is that of the folder, if there is no such
 * column. Throws an `Error` if the file is damaged, or has other columns.
 */
function* parquetReadings(fd: number, wanted: Wanted, host: string): Generator<Uint8Array> {
  const columns = parquetColumns(fd);
  const lists = namesIn(columns);
  let rows = new Int32Array(1024 * rowWords);
  let count = 0;
  // Of the rows in memory, which are those of one series.
  let name: readonly string[] = [];
  let runs: Run[] = [];
  let shared: Shared[] = [];
  let [block, spare] = [createBlock(pieceSize), createBlock(pieceSize)];
  let size = 0;
  let full: Uint8Array | undefined;
  const members: number[] = [];

  function* take(group: RowGroup): Generator<Uint8Array> {
    const all = { start: 0, end: Number(group.num_rows) };
    const cells = (names: readonly string[], range: RowRange) =>
      names.map((one) => columns.cells(group, one, range) ?? (one === "host" ? [] : missing(one)));
    const named = cells([...identity, "ds_name"], all);
    const parts = runsOf(named, all.end).filter(({ start }) => isWanted(wanted, namesAt(named, start, host)));
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return;
    const range = { start: first.start, end: last.end };
    const [kinds = [], intervals = [], metas = []] = cells(others, range);
    const times = columns.words(group, "time_ns", range) ?? missing("time_ns");
    const values = kindNames.map((one) =>
      kinds.includes(one) ? columns.words(group, one === "gauge" ? "value" : one, range) : undefined,
    );
    for (const { start, end } of parts) {
      const { series, ds_name } = namesAt(named, start, host);
      const isSame = series.every((part, index) => part === name[index]);
      let run = isSame ? runs.at(-1) : undefined;
      if (run?.name !== ds_name) {
        if (!isSame || runs.some((one) => one.name === ds_name)) yield* flush();
        name = series;
        run = { name: ds_name, at: count, end: count };
        runs.push(run);
      }
      let known: Shared | undefined;
      for (let row = start - range.start; row < end - range.start; row += 1) {
        const [which, interval, meta] = [kinds[row] ?? "", intervals[row] ?? null, metas[row] ?? null];
        if (known?.kind !== which || known.interval !== interval || known.meta !== meta) {
          known = { kind: which, which: numberOfKind(which), interval, meta };
          shared.push(known);
        }
        add(times, values[known.which], row);
      }
      run.end = count;
    }
  }

  function add(times: Words, values: Words | undefined, row: number): void {
    if ((count + 1) * rowWords > rows.length) {
      const larger = new Int32Array(2 * rows.length);
      larger.set(rows);
      rows = larger;
    }
    const at = count * rowWords;
    const isTimed = times.present[row] === 1;
    rows[at] = shared.length - 1;
    rows[at + 1] = isTimed ? (times.words[2 * row + 1] ?? 0) : untimed.high;
    rows[at + 2] = isTimed ? (times.words[2 * row] ?? 0) : untimed.low;
    rows[at + 3] = values?.words[2 * row + 1] ?? 0;
    rows[at + 4] = values?.words[2 * row] ?? 0;
    count += 1;
  }

  const sharedAt = (row: number) => rows[row * rowWords] ?? 0;

  /** Makes readings of the rows in memory. */
  function* flush(): Generator<Uint8Array> {
    const alone = runs.map((run): Together => ({ names: [run.name], runs: [run], tails: [] }));
    const together = lists.flatMap((names): Together[] => {
      const found = names.flatMap((one) => runs.find((run) => run.name === one) ?? []);
      return found.length === names.length ? [{ names, runs: found, tails: [] }] : [];
    });
    for (;;) {
      let next: Together | undefined;
      let row = -1;
      for (const one of alone) {
        const run = one.runs[0];
        if (run === undefined || run.at === run.end) continue;
        if (row >= 0 && compareTimes(rows, run.at, rows, row) >= 0) continue;
        next = one;
        row = run.at;
      }
      if (next === undefined) break;
      put(together.find((one) => hasMembers(one, row)) ?? (hasMembers(next, row) ? next : missing("time")));
      if (full !== undefined) yield full;
      full = undefined;
    }
    [count, runs, shared] = [0, [], []];
  }

  /** Takes the next rows of some data sources as `members`, if all are of the time, interval and metadata of a row. */
  function hasMembers({ runs: some }: Together, row: number): boolean {
    const first = shared[sharedAt(row)];
    members.length = 0;
    for (const run of some) {
      const other = shared[sharedAt(run.at)];
      if (run.at === run.end || compareTimes(rows, run.at, rows, row) !== 0) break;
      if (other?.interval !== first?.interval || other?.meta !== first?.meta) break;
      members.push(run.at);
      run.at += 1;
    }
    if (members.length === some.length) return true;
    for (const [index] of members.entries()) {
      const run = some[index];
      if (run !== undefined) run.at -= 1;
    }
    return false;
  }

  /** Writes the reading of `members`. */
  function put({ names, tails }: Together): void {
    const first = members[0] ?? 0;
    const tail = tails[sharedAt(first)] ?? tailOf(name, names, shared[sharedAt(first)]);
    tails[sharedAt(first)] = tail;
    const most = (members.length + 1) * largest + tail.length;
    if (size + most + 5 > block.capacity) {
      full = block.bytes.subarray(0, size);
      [block, spare] = [most + 5 > spare.capacity ? createBlock(2 * most) : spare, block];
      size = 0;
    }
    const start = size + lengthSize(most);
    let at = start;
    for (const row of members) {
      const which = shared[sharedAt(row)]?.which ?? 0;
      at = writeValue(block.view, at, which, rows[row * rowWords + 3] ?? 0, rows[row * rowWords + 4] ?? 0);
    }
    const high = rows[first * rowWords + 1] ?? 0;
    const low = rows[first * rowWords + 2] ?? 0;
    if (high !== untimed.high || low !== untimed.low) at = writeMoment(block.view, at, 0x12, momentOf(high, low));
    block.bytes.set(tail, at);
    const length = at + tail.length - start;
    // The length may take less than there is room for.
    const content = writeVarint(block.view, size, 0, length);
    if (content < start) block.bytes.copyWithin(content, start, start + length);
    size = content + length;
  }

  for (const group of columns.metadata.row_groups) {
    if (mayHave(group, wanted)) yield* take(group);
    yield empty;
  }
  yield* flush();
  yield block.bytes.subarray(0, size);
}

const empty = new Uint8Array();

function numberOfKind(name: Cell): number {
  const number = (kindNames as readonly unknown[]).indexOf(name);
  return number < 0 ? missing(`of values of the kind '${name}'`) : number;
}

/** Parts of so many rows with the same cells. */
function runsOf(columns: readonly Cell[][], count: number): RowRange[] {
  const found: RowRange[] = [];
  for (let row = 1, start = 0; row <= count; row += 1) {
    if (row < count && columns.every((column) => column[row] === column[row - 1])) continue;
    found.push({ start, end: row });
    start = row;
  }
  return found;
}

function namesAt(named: readonly Cell[][], row: number, host: string) {
  const all = named.map((column) => fromDisplayText(String(column[row] ?? host)));
  return { series: all.slice(0, identity.length), ds_name: all.at(-1) ?? "" };
}

function isWanted({ filter }: Wanted, { series, ds_name }: ReturnType<typeof namesAt>): boolean {
  return filter === undefined || filter({ identifier: identifierOf(series), ds_names: [ds_name] });
}

function identifierOf(series: readonly string[]) {
  return Object.fromEntries(identity.map((part, index) => [part, series[index] ?? ""])) as Record<IdentityPart, string>;
}

function missing(column: string): never {
  throw new Error(`it has no column ${column}`);
}

/** The lists in the metadata of a file, the longest first. */
function namesIn({ metadata }: ParquetColumns): readonly (readonly string[])[] {
  const text = metadata.key_value_metadata?.find(({ key }) => key === namesKey)?.value ?? "[]";
  const lists: unknown = JSON.parse(text);
  if (!Array.isArray(lists)) return [];
  const all = lists.filter(isNames).map((names) => names.map(fromDisplayText));
  return all.sort((one, other) => other.length - one.length);
}

function isNames(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((name) => typeof name === "string");
}

/** What follows the values and the time of a reading. */
function tailOf(series: readonly string[], names: readonly string[], shared: Shared | undefined): Uint8Array {
  const { interval = null, meta = null } = shared ?? {};
  const { meta_data } = readingFromJson(meta === null ? "{}" : `{"meta_data":${meta}}`);
  const ds_names = names.slice(0, names.findLastIndex((one) => one !== "") + 1);
  const whole = Math.floor(Number(interval));
  const parts = { seconds: Long.fromNumber(whole), nanos: Math.round((Number(interval) - whole) * 1e9) };
  return encodeReading({
    values: [],
    time: undefined,
    interval: interval === null ? undefined : parts,
    identifier: identifierOf(series),
    ds_names,
    meta_data,
  });
}
