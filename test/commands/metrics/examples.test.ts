import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verbs } from "../../../src/commands/metrics/table.ts";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";

/** The words of a command line without `tongs`; quotes hold together what is inside. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

describe("the examples of metrics", () => {
  test.each(["decode", "stat", "plot", "report"])("%s gives something from a recording of two hosts", async (verb) => {
    const load = verbs[verb];
    const command = typeof load === "function" ? await load() : undefined;
    const examples = command?.examples.filter(([, line]) => line.startsWith("tongs ") && line.includes("readings.bin"));
    expect(examples?.length).toBeGreaterThan(0);
    for (const [caption, line] of examples ?? []) {
      const cwd = emptyFolder();
      copyFileSync(dataPath("collectd-5.12.delimited.bin"), join(cwd, "readings.bin"));
      const [, ...words] = wordsOf(line);
      const now = new Date("2026-11-21T08:00:00Z");
      const { code, stdout } = await tongsBytes(words, {
        cwd,
        now,
        env: { PATH: process.env["PATH"] ?? "", BROWSER: "true" },
      });
      const written = /(?:--svg|-o) (\S+)/.exec(line)?.[1];
      expect([caption, code]).toEqual([caption, 0]);
      if (written === undefined) expect(stdout.toString().trim().split("\n").length, caption).toBeGreaterThan(1);
      else expect(existsSync(join(cwd, written)), caption).toBe(true);
    }
  });

  test("of traffic count octets only", async () => {
    const load = verbs["stat"];
    const command = typeof load === "function" ? await load() : undefined;
    const [, line = ""] = command?.examples.find(([caption]) => caption.includes("traffic")) ?? [];
    expect(line).toContain("--type if_octets");
  });

  test("of the help of metrics come first: collectd.conf, serve, stat, plot", async () => {
    const { stdout } = await tongsBytes(["metrics", "--help"]);
    const text = stdout.toString();
    const places = ["LoadPlugin grpc", "metrics serve --to", "metrics stat", "metrics plot", "USAGE"];
    const found = places.map((place) => text.indexOf(place));
    expect(found.every((at) => at > 0)).toBe(true);
    expect(found).toEqual([...found].sort((one, other) => one - other));
  });
});
