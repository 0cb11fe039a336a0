import { readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { Failure } from "../../src/failure/failure.ts";
import { tree, unpack } from "../archive/unpacked.ts";
import { zip } from "../support/zip.ts";
import { fuzzSettings } from "./settings.ts";

const { seed, rounds, below, pick } = fuzzSettings(600);

const texts = ["", "tide tables, long enough to deflate, tide tables", "7".repeat(9000), "stored as it is"] as const;
const names = [
  "a.txt",
  "b/c.txt",
  "../up",
  "/root",
  ".git/config",
  "b/",
  "A.TXT",
  "a.txt/x",
  "C:x",
  "\u0000",
  "aux",
  "x".repeat(300),
] as const;

/** A valid archive, or one that a hostile program wrote. */
function archive(): Buffer {
  const entries = Array.from({ length: 1 + below(5) }, (_, index) => ({
    name: below(2) === 0 ? `${index}.txt` : pick(names),
    content: pick(texts),
    stored: below(2) === 0,
    descriptor: below(3) === 0,
    zip64: below(4) === 0,
    utf8: below(2) === 0,
    ...(below(8) === 0 ? { mode: pick([0o120777, 0o100755, 0o040755, 0o020666]) } : {}),
    ...(below(12) === 0 ? { size: below(1e6) } : {}),
    ...(below(12) === 0 ? { localName: pick(names) } : {}),
    ...(below(12) === 0 ? { method: below(100) } : {}),
  }));
  return zip(entries, { zip64: below(4) === 0, ...(below(12) === 0 ? { count: below(65_536) } : {}) });
}

/** Changes a few bytes, cuts some out, or repeats some. */
function mutated(bytes: Buffer): Buffer {
  const [from, to] = [below(bytes.length), below(bytes.length)];
  const changed = Buffer.from(bytes);
  return pick([
    () => changed,
    () => changed.fill(below(256), from, from + 1),
    () => changed.fill(pick([0, 0xff, 0x7f]), from, from + pick([2, 4, 8])),
    () => bytes.subarray(0, from),
    () => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
    () => Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.min(from, to), to), bytes.subarray(from)]),
  ])();
}

it(`${rounds} mutated archives unpack to what they held, or to nothing (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const bytes = mutated(archive());
    const { into, error } = await unpack(bytes);
    const what = `seed ${seed}, round ${round}: ${bytes.toString("base64").slice(0, 2000)}`;
    // Nothing is written next to the target, and no scratch file is left in it.
    expect(
      readdirSync(dirname(into)).filter((name) => name !== "it.zip" && name !== "out"),
      what,
    ).toEqual([]);
    const found = error !== undefined && !readdirSync(dirname(into)).includes("out") ? {} : tree(into);
    if (error === undefined)
      for (const [name, text] of Object.entries(found))
        expect(name.endsWith("/") ? "" : text, what).toBeOneOf([...texts]);
    else {
      expect(error, what).toBeInstanceOf(Failure);
      expect(found, what).toEqual({});
    }
    rmSync(dirname(into), { recursive: true });
  }
});
