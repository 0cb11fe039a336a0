import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { topics } from "../../src/command/topics.ts";
import { table } from "../../src/commands/index.ts";
import { roff } from "../../src/docs/man/roff.ts";
import { docFiles } from "../../src/docs/reference.ts";
import { sampleTable } from "./sample.ts";
import { installed } from "./shells.ts";

const skipped = installed("groff") ? "" : " (skipped: groff is not installed here)";

/** A page as `man` renders it. */
function shown(page: string): { readonly text: string; readonly warnings: string } {
  const ran = spawnSync("groff", ["-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-u"], { input: page, encoding: "utf8" });
  return { text: ran.stdout, warnings: ran.stderr };
}

describe("man pages", () => {
  it("exist for tongs, for each noun and for each help topic", async () => {
    const files = Object.keys(await docFiles(sampleTable, "1.2.3")).filter((path) => path.startsWith("man/"));
    const nouns = ["man/tongs.1", "man/tongs-crate.1", "man/tongs-hoist.1", "man/tongs-load.1"];
    expect(files).toEqual([...nouns, ...Object.keys(topics).map((name) => `man/tongs-${name}.7`)]);
  });

  it("escape requests and escape sequences in text", () => {
    expect(roff(".TH a\n'b \\c --d…")).toBe("\\&.TH a\n\\&'b \\ec \\-\\-d\\&...");
  });

  it.skipIf(skipped !== "")(`show arguments, flags, fields, exit codes and examples${skipped}`, async () => {
    const files = await docFiles(sampleTable, "1.2.3");
    const { text, warnings } = shown(files["man/tongs-crate.1"] ?? "");
    expect(warnings).toBe("");
    for (const part of ["CRATE SIDE LIST", "--[no-]draft", "id, name, notes", "COLOR", "tongs it's done", "1.2.3"])
      expect(text).toContain(part);
    expect(shown(files["man/tongs-profiles.7"] ?? "").text).toMatch(/TONGS-PROFILES\(7\)[\s\S]*--profile NAME/);
    expect(shown(files["man/tongs.1"] ?? "").text).toMatch(/tongs-crate\(1\)[\s\S]*130[\s\S]*TONGS_TOKEN/);
  });

  it.skipIf(skipped !== "")(`of every command are rendered by groff without a warning${skipped}`, async () => {
    for (const [path, page] of Object.entries(await docFiles(table, "1.2.3")))
      if (path.startsWith("man/")) expect(shown(page).warnings, path).toBe("");
  });
});
