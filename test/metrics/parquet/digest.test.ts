import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDecoder } from "../../../src/metrics/decode/decoder.ts";
import { createParquetOutput } from "../../../src/metrics/parquet/output.ts";
import { digestOfFile } from "../../../src/metrics/parquet/read-back.ts";
import { createReadingDigest } from "../../../src/metrics/parquet/reading-digest.ts";
import { padded } from "../../../src/metrics/wire/block.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { dataBytes, delimitedMessages } from "../data.ts";
import { parquetMetadata } from "./rows.ts";

const go = () => {};

/** Writes messages to a Parquet file; returns the file, and the digest of the readings. */
async function written(messages: readonly Uint8Array[]) {
  const path = join(emptyFolder(), "a.parquet");
  const { printer, finish, publish } = createParquetOutput(path, []);
  const digest = createReadingDigest();
  const decoder = createDecoder({
    lenient: true,
    tail: printer.tail,
    added: (entry, fields) => {
      digest.forget(entry);
      printer.added?.(entry, fields);
    },
  });
  for (const message of messages) {
    const { bytes, view } = padded(message);
    const entry = decoder.read(bytes, view, 0, message.length);
    printer.print(decoder.fields, decoder.tails, entry);
    digest.add(decoder.fields, entry);
  }
  await finish(go);
  await publish(go);
  return { path, expected: digest.text() };
}

const all = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
const many = [...all, ...all, ...all];

test("a digest of readings is that of their Parquet file, in any order and in files of many pages", async () => {
  const one = await written(many);
  const other = await written(many.toReversed());
  expect([await digestOfFile(one.path, go), await digestOfFile(other.path, go)]).toEqual([one.expected, one.expected]);
  expect(other.expected).toBe(one.expected);
  expect(await digestOfFile((await written([])).path, go)).toBe((await written([])).expected);
});

test("a digest differs if a reading is missing, twice there, or another one", async () => {
  const { expected } = await written(all);
  for (const changed of [all.slice(1), [...all, ...all.slice(0, 1)], [...all.slice(1), ...all.slice(1, 2)]])
    expect((await written(changed)).expected).not.toBe(expected);
});

test("a value that is changed in the file is found", async () => {
  const gauge = Float64Array.of(1234.5678);
  const [message = new Uint8Array()] = all.filter((one) => one[0] === 0x0a && one[2] === 0x11 && one[11] === 0x12);
  const reading = Uint8Array.from(message);
  reading.set(new Uint8Array(gauge.buffer), 3);
  const { path, expected } = await written([reading]);
  expect(await digestOfFile(path, go)).toBe(expected);
  const bytes = readFileSync(path);
  const at = bytes.indexOf(new Uint8Array(gauge.buffer));
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(await digestOfFile(path, go)).not.toBe(expected);
});

test("pages are compressed with zstd where Node has it", async () => {
  const { row_groups } = await parquetMetadata((await written(all)).path);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const codec = major > 22 || (major === 22 && minor >= 15) ? "ZSTD" : "SNAPPY";
  expect(row_groups.flatMap(({ columns }) => columns).every(({ meta_data }) => meta_data?.codec === codec)).toBe(true);
});
