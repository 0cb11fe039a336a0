import { describe, expect, it } from "vitest";
import { schemaOfShape } from "../../src/docs/schema/json-schema.ts";
import { mismatch } from "../../src/shape/mismatch.ts";
import { hasField } from "../../src/shape/select.ts";
import {
  either,
  hasKey,
  integer,
  list,
  nullable,
  optional,
  record,
  serverRecord,
  string,
  using,
} from "../../src/shape/shape.ts";

const person = serverRecord("a user", { id: integer, login: string }, { full_name: optional(string) });
const crate = serverRecord(
  "a crate",
  { number: integer, owner: nullable(using(person, "login")), labels: optional(nullable(list(person))) },
  { weight: integer },
);
const good = { number: 7, owner: { login: "mara" } };

it("accepts records without optional and unused fields, and with fields of any type that are not used", () => {
  expect(mismatch(crate, good)).toBeUndefined();
  expect(mismatch(crate, { ...good, labels: null, weight: "heavy", new: {} })).toBeUndefined();
  expect(mismatch(list(crate), [good, { ...good, owner: null }])).toBeUndefined();
});

it.each([
  [{ owner: null }, "a crate: number is missing"],
  [{ ...good, number: "7/head:refs/heads/main" }, "a crate: number is not an integer"],
  [{ ...good, number: 9007199254740993n }, "a crate: number is not an integer"],
  [{ ...good, number: null }, "a crate: number is null"],
  [{ ...good, owner: {} }, "a crate: owner.login is missing"],
  [{ ...good, owner: [] }, "a crate: owner is not an object"],
  [{ ...good, labels: [{ id: 1, login: "x" }, { id: 1 }] }, "a crate: labels[1].login is missing"],
  [[], "a crate"],
  [null, "a crate"],
])("names what is wrong: %o", (value, expected) => {
  expect(mismatch(crate, value)).toBe(expected);
});

describe("a value in one of two forms", () => {
  const other = serverRecord("a crate", { mass: integer, tags: list(string) }, { number: integer });
  const both = either(crate, other, (value) => hasKey(value, "mass"));
  const label = either(person, string, (value) => typeof value === "string");

  it.each([
    [good, undefined],
    [{ mass: 3, tags: [] }, undefined],
    [{ mass: 3 }, "a crate: tags is missing"],
    [{ tags: [] }, "a crate: number is missing"],
    [null, "a crate"],
  ])("is checked in its own form: %o", (value, expected) => {
    expect(mismatch(both, value)).toBe(expected);
  });

  it("can be a text or a record, and neither null nor a number", () => {
    const labels = list(label);
    expect(mismatch(labels, ["a", { id: 1, login: "mara" }])).toBeUndefined();
    expect([["a", null], [7], [{ id: 1 }]].map((value) => mismatch(labels, value) === undefined)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("has the fields of both for --json and the schema, and requires those that both require", () => {
    expect(hasField(both, "owner.login") && hasField(both, "tags") && !hasField(both, "colour")).toBe(true);
    expect(hasField(record({ labels: list(label) }), "labels.login")).toBe(true);
    const { properties, required } = schemaOfShape(both);
    expect([Object.keys(properties ?? {}).sort(), required]).toEqual([
      ["labels", "mass", "number", "owner", "tags", "weight"],
      ["number"],
    ]);
    expect(schemaOfShape(label)).toMatchObject({ anyOf: [{ type: "object" }, { type: "string" }] });
  });
});

it("checks every item of a list", () => {
  expect(mismatch(list(crate), [good, {}])).toBe("a crate: number is missing");
  expect(mismatch(list(crate), {})).toBe("a list");
});
