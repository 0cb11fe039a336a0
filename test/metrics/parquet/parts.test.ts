import { readFileSync } from "node:fs";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { ByteWriter } from "hyparquet-writer";
import { expect, test } from "vitest";
import {
  snappyCompress,
  unconvertMinMax,
  writePlain,
  writeRleBitPackedHybrid,
} from "../../../src/metrics/hyparquet-parts.ts";

const json = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

test("the version of hyparquet-writer is pinned, because it exports none of the parts that are used", () => {
  const pinned = json("../../../package.json").devDependencies["hyparquet-writer"];
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  expect(json("../../../node_modules/hyparquet-writer/package.json").version).toBe(pinned);
});

test("its parts write runs, plain values, statistics and Snappy as Parquet has them", () => {
  const runs = new ByteWriter();
  writeRleBitPackedHybrid(runs, [1, 1, 1, 1, 1, 1, 1, 1, 1], 1);
  expect(Buffer.from(runs.getBytes()).toString("hex")).toBe("1201");
  const plain = new ByteWriter();
  writePlain(plain, [1.5], "DOUBLE", undefined);
  expect(Buffer.from(plain.getBytes()).toString("hex")).toBe("000000000000f83f");
  expect(unconvertMinMax(7, { name: "a", type: "INT32" }, true)).toEqual(Uint8Array.of(7, 0, 0, 0));
  const text = Buffer.from("readings ".repeat(100));
  const whole = new Uint8Array(text.length);
  snappyUncompress(snappyCompress(text), whole);
  expect(Buffer.from(whole).equals(text)).toBe(true);
});
