import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { releases } from "../../src/forge/generated/since.ts";
import { hasOperation, products, sinceOf } from "../../src/forge/support.ts";

const data = join(import.meta.dirname, "../data");

/** The operations that not all releases have, with the contract scenarios that send them (test/contract/sent.ts). */
const sent = readFileSync(join(data, "contract-operations.txt"), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split("\t"));

describe("what the table refuses in the contract scenarios", () => {
  // The newest release first; what an older one is refused besides has a +, what it is not a -.
  it("is as listed by release; `npx vitest run test/forge/refusals.test.ts -u` writes it", async () => {
    const parts = (["gitea", "forgejo"] as const).flatMap((product) => {
      const refused = releases[product].map((number) => {
        const release = { product, number, isBefore: false };
        return sent.filter(([, key = ""]) => hasOperation(release, sinceOf(key) ?? {}) === "no");
      });
      return releases[product].map((number, at) => {
        const [here, newer] = [new Set(refused[at]), new Set(refused[at - 1])];
        const changes = sent.flatMap((one) => (here.has(one) === newer.has(one) ? [] : [line(one, here.has(one))]));
        return [`${products[product]} ${number}`, ...changes].join("\n");
      });
    });
    await expect(`${parts.join("\n\n")}\n`).toMatchFileSnapshot(join(data, "refusals.txt"));
  });

  it("is of operations that the table has", () => {
    expect(sent.filter(([, key = ""]) => sinceOf(key) === undefined)).toEqual([]);
  });
});

function line([scenario, key]: readonly string[], isRefused: boolean): string {
  return `${isRefused ? "+" : "-"} ${scenario}: ${key}`;
}
