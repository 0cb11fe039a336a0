import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sourceStack } from "../../src/system/source-map.ts";

const folder = mkdtempSync(join(tmpdir(), "tongs-source-map-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a stack trace", () => {
  it("has the places of the sources where there are maps, and stays as it is elsewhere", () => {
    const map = { version: 3, sources: ["../src/app/run.ts"], names: [], mappings: "AAEI;A;" };
    writeFileSync(join(folder, "run.js.map"), JSON.stringify(map));
    writeFileSync(join(folder, "bad.js.map"), "{");
    const stack = [
      "Error: at a.js:1:1",
      `    at run (${join(folder, "run.js")}:1:1)`,
      `    at async ${join(folder, "run.js")}:1:1`,
      `    at code of the bundler (${join(folder, "run.js")}:2:1)`,
      `    at bad (${join(folder, "bad.js")}:1:1)`,
      "    at node:internal/main:28:49",
    ];
    expect(sourceStack(stack.join("\n")).split("\n")).toEqual([
      stack[0],
      "    at run (src/app/run.ts:3:5)",
      "    at async src/app/run.ts:3:5",
      ...stack.slice(3),
    ]);
  });
});
