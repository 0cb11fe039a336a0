import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readingsFromRrd } from "../../src/metrics/encode/from-rrd.ts";
import { dataPath } from "./data.ts";

const dump = readFileSync(dataPath("rrdtool-1.7.2.dump.xml"), "utf8");

test("a dump with names, values and rows of millions of spaces, or without their ends, is read in linear time", () => {
  const many = 4_000_000;
  const spaces = " ".repeat(many);
  const ends = [`<name>${spaces}`, `<rra><cf>AVERAGE</cf>${"/ 1 --> <row><v>  ".repeat(many / 16)}`];
  for (const end of ends) expect(readingsFromRrd(dump.replace("</rrd>", end), undefined)?.length).toBeGreaterThan(7);
  const named = dump.replace(/<name>.*?<\/name>/, `<name>${spaces}x${spaces}</name>`);
  expect(readingsFromRrd(named, undefined)?.[0]?.ds_names).toEqual(["x", "tx"]);
});
