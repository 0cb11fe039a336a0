import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operationAt } from "../../src/forge/all-operations.ts";
import { factsAt } from "../../src/forge/facts.ts";

const top = join(import.meta.dirname, "../..");

interface Recorded {
  readonly label: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: object };
  readonly response: { readonly status: number; readonly body?: unknown };
}

type Ignored = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Override = { readonly ignored?: Ignored };

const overrides = JSON.parse(readFileSync(join(top, "scripts/generate/release-overrides.json"), "utf8")) as {
  readonly operations: Readonly<Record<string, Override>>;
  readonly records: Readonly<Record<string, Override>>;
};

/** What proves each field that the table says is ignored, by what it is a field of. */
const proofs = [...Object.entries(overrides.operations), ...Object.entries(overrides.records)].flatMap(
  ([of, { ignored = {} }]) =>
    Object.entries(ignored).flatMap(([product, fields]) =>
      Object.entries(fields).map(([field, label]) => ({ of, product, field, label })),
    ),
);

describe("a field that the table says is ignored", () => {
  it.each(proofs)("$field of $of on $product, as recorded", ({ of, product, field, label }) => {
    const text = readFileSync(join(top, `test/data/exchanges/${product}-ignored.ndjson`), "utf8");
    const all = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Recorded);
    const found = all.findIndex((one) => one.label === label);
    const before = all.slice(0, found + 1).filter((one) => one.response.status < 300 && isOf(one, of));
    const sent = before.filter((one) => field in { ...one.request.body, ...queryOf(one) });
    expect(sent.length).toBeGreaterThan(0);
    const answer = all[found]?.response.body;
    if (of.startsWith("GET ")) {
      // Whatever is asked for, the answer is the same.
      expect(new Set(sent.map((one) => queryOf(one)[field])).size).toBeGreaterThan(1);
      for (const one of sent) expect(one.response.body).toEqual(answer);
    } else {
      const records = Array.isArray(answer) ? answer : [answer];
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) expect(Object.keys(record as object)).not.toContain(field);
    }
  });
});

/** Whether a request is of an operation, or has a body that is such a record. */
function isOf({ request: { method, path } }: Recorded, of: string): boolean {
  const matched = operationAt(method, path.replace(/^\/api\/v1|\?.*$/g, ""));
  return matched !== undefined && [`${method} ${matched.path}`, factsAt(method, matched.path)?.body].includes(of);
}

function queryOf({ request: { path } }: Recorded): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(path.split("?")[1]));
}
