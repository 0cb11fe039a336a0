import { expect, test } from "vitest";
import { dataBytes } from "./data.ts";
import { fuzz, genericNdjson } from "./differential.ts";

const seeds = JSON.parse(dataBytes("fuzz-seeds.json").toString()) as number[];

test.each(seeds)(
  "all printers and an independent decoder agree on 3,000 generated and mutated messages of seed %i",
  (seed) => {
    const { differences, accepted } = fuzz(seed, 3000);
    expect(differences).toEqual([]);
    expect(accepted).toBeGreaterThan(1000);
  },
);

test("drops excess bits of a five-byte tag, like libprotobuf", () => {
  expect(genericNdjson(Buffer.from("0a020805f8ffffff6761", "hex"))).toBe('{"values":[{"counter":"5"}]}\n');
});
