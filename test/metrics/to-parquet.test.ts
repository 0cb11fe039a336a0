import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convertRecording } from "../../src/metrics/parquet/convert.ts";
import { toParquet as conversion, openConverter } from "../../src/metrics/recorder/converter.ts";
import { first, scene } from "./recorders.ts";

describe("the conversion of rotated recordings", () => {
  const { signal } = new AbortController();
  function converting() {
    const { folder, path, warnings, clock } = scene();
    const now = () => clock.now;
    const converter = openConverter({ path, signal, now, warn: (message) => warnings.push(message), conversion });
    return { folder, converter, warnings };
  }

  test("keeps a recording whose Parquet file cannot be written, with a warning, and converts the others", async () => {
    const { folder, converter, warnings } = converting();
    // Short enough for a file, too long with what a scratch name adds.
    const long = `${"n".repeat(220)}.20261122T060000Z.bin`;
    for (const name of [long, "readings.20261122T070000Z.bin"]) {
      writeFileSync(join(folder, name), first(3));
      converter.add(join(folder, name));
    }
    await converter.finished();
    expect(readdirSync(folder).sort()).toEqual([long, "readings.20261122T070000Z.parquet"]);
    for (const warning of warnings) expect(warning).toMatch(/nnn\.20261122T060000Z\.bin was not converted: .*too long/);
  });

  test("tries what failed because of the disk again with the next recording", async () => {
    const { folder, converter, warnings } = converting();
    const unreadable = join(folder, "readings.20261122T060000Z.bin");
    mkdirSync(unreadable);
    converter.add(unreadable);
    await converter.finished();
    expect(warnings).toEqual([expect.stringMatching(/was not converted: Cannot read.*is a directory/)]);
    rmdirSync(unreadable);
    for (const name of ["readings.20261122T060000Z.bin", "readings.20261122T070000Z.bin"])
      writeFileSync(join(folder, name), first(3));
    converter.add(join(folder, "readings.20261122T070000Z.bin"));
    await converter.finished();
    expect(readdirSync(folder).sort()).toEqual([
      "readings.20261122T060000Z.parquet",
      "readings.20261122T070000Z.parquet",
    ]);
    expect(warnings).toHaveLength(1);
  });

  test("does not warn of a recording that was removed before or while it was converted: it was one of the oldest", async () => {
    const { folder, path, warnings, clock } = scene();
    const now = () => clock.now;
    const warn = (message: string) => warnings.push(message);
    const names = ["06", "07", "08"].map((hour) => `readings.20261122T${hour}0000Z`);
    for (const name of names) writeFileSync(join(folder, `${name}.bin`), first(3));
    // The first before it is opened, the second once it was read.
    const convert = async ({ recording, target }: { readonly recording: string; readonly target: string }) => {
      const remove = () => rmSync(recording, { force: true });
      if (recording.includes("T06")) remove();
      const whenRead = { throwIfAborted: recording.includes("T07") ? remove : () => {} };
      await convertRecording({ recording, target, signal: whenRead });
    };
    await openConverter({ path, keep: 1, signal, now, warn, conversion: { ...conversion, convert } }).finished();
    expect([readdirSync(folder), warnings]).toEqual([["readings.20261122T080000Z.parquet"], []]);
  });

  test("removes what a killed conversion left, and no other hidden file", async () => {
    const { folder, path, clock } = scene();
    const others = [".readings.20261122T050000Z.parquet.0123456789abcdef.partial", ".mine.partial"];
    const left = ".readings.20261122T060000Z.parquet.0123456789abcdef.partial";
    for (const name of [...others, left]) writeFileSync(join(folder, name), "PAR1");
    writeFileSync(join(folder, "readings.20261122T060000Z.bin"), first(3));
    await openConverter({ path, signal, now: () => clock.now, warn: () => {}, conversion }).finished();
    expect(readdirSync(folder).sort()).toEqual([...others, "readings.20261122T060000Z.parquet"].sort());
  });
});
