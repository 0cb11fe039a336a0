import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** What depends on how fast a machine is: an upper limit of a measured time, and a wait that gives up after a second. */
const onTheClock = /expect\([^;]*\b(?:performance|Date)\.now\(\)[^;]*\)\s*\.toBeLess|\bvi\.wait(?:For|Until)\(/;

it("no test asserts how long something takes", () => {
  const test = join(import.meta.dirname, "..");
  const files = readdirSync(test, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!clock\.test)\.ts$/.test(name),
  );
  expect(files.filter((name) => onTheClock.test(readFileSync(join(test, name), "utf8")))).toEqual([]);
  for (const line of [
    "expect(Date.now() - start).toBeLessThan(5);",
    "expect(\n  performance.now(),\n).toBeLessThan(5);",
  ])
    expect(line).toMatch(onTheClock);
});
