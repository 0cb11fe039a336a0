import { expect, it } from "vitest";
import { mismatch } from "../../src/shape/mismatch.ts";
import { integer, list, nullable, optional, serverRecord, string, using } from "../../src/shape/shape.ts";

const person = serverRecord("a user", { id: integer, login: string, full_name: optional(string) }, ["id", "login"]);
const crate = serverRecord(
  "a crate",
  {
    number: integer,
    owner: nullable(using(person, "login")),
    labels: optional(nullable(list(person))),
    weight: integer,
  },
  ["number", "owner", "labels"],
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

it("checks every item of a list", () => {
  expect(mismatch(list(crate), [good, {}])).toBe("a crate: number is missing");
  expect(mismatch(list(crate), {})).toBe("a list");
});
