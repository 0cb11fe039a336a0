import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wrongSizes } from "../../scripts/sizes.mjs";

describe("the sizes that the README says", () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
  const [, packed = "", unpacked = ""] = /takes ([\d.]+) MB, or ([\d.]+) MB unpacked/.exec(readme) ?? [];
  const pack = { size: Number(packed) * 1e6, unpackedSize: Number(unpacked) * 1e6 };
  const cells = /^\| Linux x64 .*\n.*\n\|(.*)\|$/m.exec(readme)?.[1]?.split("|").map(Number) ?? [];
  const targets = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-x64", "darwin-arm64"];
  const programs = [...targets, "windows-x64"].map((target, at) => ({ target, bytes: (cells[at] ?? 0) * 1e6 }));

  it("are right if they are near", () => {
    expect(cells).toHaveLength(7);
    expect(wrongSizes(readme, pack, programs)).toEqual([]);
    expect(wrongSizes(readme, { ...pack, size: pack.size + 90_000 }, programs)).toEqual([]);
  });

  it("are reported with what to write otherwise", () => {
    const grown = programs.map(({ target, bytes }, at) => ({ target, bytes: at === 6 ? bytes + 20e6 : bytes }));
    const size = (sum: number, digits: number) => (sum / 1e6).toFixed(digits);
    expect(wrongSizes(readme, { ...pack, size: pack.size + 1e6 }, grown)).toEqual([
      `README.md: the package: ${size(pack.size + 1e6, 1)} MB, not ${packed}`,
      `README.md: Windows x64: ${size((cells[6] ?? 0) * 1e6 + 20e6, 0)} MB, not ${cells[6]}`,
    ]);
  });

  it("are reported if the README has none, or no column for a program", () => {
    expect(wrongSizes("", pack, [{ target: "plan9-x64", bytes: 5e6 }])).toEqual([
      expect.stringContaining("the package: "),
      expect.stringContaining("the package, unpacked: "),
      "README.md: plan9-x64: 5 MB, not nothing",
    ]);
  });
});
