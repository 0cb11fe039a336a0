import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("no object literal is spread into another to please the formatter", () => {
  const root = join(import.meta.dirname, "../..");
  const files = ["src", "test", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const code = files.filter((name) => /\.[cm]?ts$|\.mjs$/.test(name) && !/\bgenerated\b|\bdata\b/.test(name));
  expect(code.length).toBeGreaterThan(1000);
  expect(code.filter((name) => /^\s*\.\.\.\{/m.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
