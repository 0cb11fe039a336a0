import { describe, expect, it } from "vitest";
import { readAs } from "../../src/shape/read-as.ts";
import {
  boolean,
  either,
  hasKey,
  integer,
  largeInteger,
  list,
  listedRecord,
  map,
  nullable,
  number,
  optional,
  serverRecord,
  string,
} from "../../src/shape/shape.ts";

const label = listedRecord("a label", { id: integer, name: string });
const crate = serverRecord(
  "a crate",
  {
    number: integer,
    size: optional(largeInteger),
    weight: optional(number),
    sealed: optional(boolean),
    owner: optional(nullable(string)),
    labels: list(label),
    counts: optional(map(integer)),
  },
  { note: integer },
);
const good = { number: 7, labels: [] };

describe("what a server sends", () => {
  it("is the same value where it fits, whatever it is besides", () => {
    const value = { ...good, owner: null, note: "17", new: null };
    expect(readAs(crate, value).value).toBe(value);
  });

  it.each([
    ["a number that is a string of digits", { number: "7" }, { number: 7 }],
    ["one beyond 2^53", { size: "9007199254740993" }, { size: 9007199254740993n }],
    ["one with a fraction", { weight: "1.5", counts: { a: "2" } }, { weight: 1.5, counts: { a: 2 } }],
    ["a list that is null", { labels: null }, { labels: [] }],
    ["an optional field that is null", { sealed: null, counts: null }, {}],
    ["a field that can be null", { owner: null, labels: null }, { owner: null, labels: [] }],
    ["what is within", { labels: [{ id: "1", name: "x" }, null] }, { labels: [{ id: 1, name: "x" }, null] }],
  ])("is read generously: %s", (_what, sent, meant) => {
    expect(readAs(crate, { ...good, ...sent })).toEqual({ value: { ...good, ...meant }, mismatch: undefined });
  });

  it.each([
    ["another text", { number: "7/head" }, "a crate: number is not an integer"],
    ["a fraction of an integer", { number: "1.5" }, "a crate: number is not an integer"],
    ["a word in place of yes or no", { sealed: "yes" }, "a crate: sealed is not a boolean"],
    ["null where a command needs it", { number: null }, "a crate: number is null"],
    ["an object in place of a list", { labels: {} }, "a crate: labels is not a list"],
    ["a record without its name", { labels: [{ id: 1 }] }, "a crate: labels[0].name is missing"],
  ])("names the field otherwise: %s", (_what, sent, mismatch) => {
    expect(readAs(crate, { ...good, ...sent })).toMatchObject({ mismatch });
  });

  it("is read in the form that it has", () => {
    const other = serverRecord("a crate", { mass: integer, tags: list(string) });
    const both = either(crate, other, (value) => hasKey(value, "mass"));
    expect(readAs(both, { mass: "3", tags: null }).value).toEqual({ mass: 3, tags: [] });
    expect(readAs(list(crate), null).value).toEqual([]);
    expect(readAs(nullable(list(crate)), null).value).toBeNull();
  });

  it("loses those records of a list that cannot be read, which are reported, and no others", () => {
    const said: string[] = [];
    const labels = [{ id: 1 }, { id: 2, name: "tide" }, null];
    const read = readAs(list(crate), [{ ...good, labels }, { labels }, good], (what) => said.push(what));
    expect(read).toEqual({ value: [{ ...good, labels: labels.slice(1) }, good], mismatch: undefined });
    expect(new Set(said)).toEqual(new Set(["a label: name is missing (in labels)", "a crate: number is missing"]));
  });

  it("keeps the places of a list where null is the place of what does not exist", () => {
    const places = list(nullable(serverRecord("a file", { path: string })));
    expect(readAs(places, [null, { path: 7 }], () => undefined).mismatch).toBe("a file: path is not a string");
  });
});
