import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, tongs } from "../support/tongs.ts";

/** Completes the last word with a cache that has the words of two operations. */
async function complete(words: readonly string[], cache = emptyFolder()): Promise<string[]> {
  const folder = join(cache, "tongs", "operation-words");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(folder, "server.words"),
    "issueCreateLabel owner= repo= name= color=\nissueGetLabel owner= repo= id=\n",
  );
  const ran = await tongs(["__complete", ...words], { env: { XDG_CACHE_HOME: cache } });
  expect(ran.stderr).toBe("");
  return ran.stdout
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "")
    .filter((word) => word !== "" && !word.startsWith(":"));
}

describe("the completion of operations", () => {
  it.each([
    ["operation view issue", ["issueCreateLabel", "issueGetLabel"]],
    ["operation call issueG", ["issueGetLabel"]],
    ["operation call issueCreateLabel -p ", ["owner=", "repo=", "name=", "color="]],
    ["operation call issueGetLabel --param i", ["id="]],
    ["operation call unknown -p ", []],
  ])("offers for '%s' %j", async (typed, words) => {
    expect((await complete(typed.split(" "))).sort()).toEqual([...words].sort());
  });

  it("offers nothing without a cache", async () => {
    const ran = await tongs(["__complete", "operation", "view", ""], { env: { XDG_CACHE_HOME: emptyFolder() } });
    expect(ran.stdout).not.toContain("issue");
  });
});
