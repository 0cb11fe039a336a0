import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the files that npm run generate creates from proto/ are up to date", () => {
  const script = join(import.meta.dirname, "..", "..", "scripts", "generate", "metrics.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
});
