import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { built, dist } from "./dist.ts";

describe("the stack trace of a bug", () => {
  it("names functions, files and lines of the sources", async () => {
    const XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), "tongs-trace-"));
    const broken = { require: join(import.meta.dirname, "broken.cjs"), env: { XDG_CACHE_HOME } };
    const ran = await built(["profile", "list"], broken);
    // With the code that the first run compiled.
    const again = await built(["profile", "list"], broken);
    rmSync(XDG_CACHE_HOME, { recursive: true });
    expect(again.stderr).toBe(ran.stderr);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("Unexpected error: broken on purpose\n  This is a bug in tongs.");
    const [, name = "", file = "", line = ""] = /at (\w+) \((src\/[\w/-]+\.ts):(\d+):\d+\)/.exec(ran.stderr) ?? [];
    const source = readFileSync(join(dist, "..", file), "utf8").split("\n");
    expect(source.slice(0, Number(line)).join("\n")).toContain(`function ${name}(`);
    expect(source[Number(line) - 1]).toMatch(/isAbsolute/);
    expect(ran.stderr).toContain("at async execute (src/app/execute.ts:");
  });

  it("is made from source maps without the text of the sources and without libraries", () => {
    const maps = readdirSync(dist).filter((name) => name.endsWith(".js.map"));
    expect(maps).toContain("main.js.map");
    for (const name of maps) {
      const map = JSON.parse(readFileSync(join(dist, name), "utf8")) as {
        sources: string[];
        sourcesContent?: unknown[];
      };
      expect(
        (map.sourcesContent ?? []).filter((text) => text !== null),
        name,
      ).toEqual([]);
      expect(
        map.sources.filter((path) => path.includes("node_modules")),
        name,
      ).toEqual([]);
    }
  });
});
