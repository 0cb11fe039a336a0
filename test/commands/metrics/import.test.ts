import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { records, tongsBytes } from "./bytes.ts";

// What rrdtool 1.7.2 printed for a file with a step of 10 s, six rows of 10 s, six of 30 s, and six minima.
const dump = dataPath("rrdtool-1.7.2.dump.xml");

/** Like rrdtool dump, for a file beside which its dump is. */
const standIn = `#!/bin/sh
if [ "$1" != dump ] || [ ! -e "$2.xml" ]; then echo "ERROR: '$2' is not an RRD file" >&2; exit 1; fi
exec cat "$2.xml"
`;

/** A folder with RRD files in `rrd`, and a PATH with the stand-in for rrdtool. */
function folderWith(files: readonly string[], damaged: readonly string[] = []) {
  const cwd = emptyFolder();
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "rrdtool"), standIn, { mode: 0o755 });
  for (const file of [...files, ...damaged]) {
    const path = join(cwd, "rrd", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "RRD\0");
    if (files.includes(file)) copyFileSync(dump, `${path}.xml`);
  }
  return { cwd, env: { PATH: `${bin}:/bin:/usr/bin` } };
}

describe.skipIf(process.platform === "win32")("metrics import --rrd", () => {
  test("gives the averages of the finest archive, and coarser ones for the time before it", async () => {
    const world = folderWith(["edge-01.example.net/interface-eth0/if_octets.rrd"]);
    const { code, stderr } = await tongsBytes(["metrics", "import", "--rrd", "rrd", "-o", "a.bin"], world);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Imported 8 readings from 1 of 1 files")]);
    const { stdout } = await tongsBytes(["metrics", "decode", "a.bin"], { cwd: world.cwd });
    const all = records(stdout) as { time: string; interval: string }[];
    expect(all[0]).toEqual({
      values: [{ gauge: 100 }, { gauge: 50 }],
      time: "2026-01-16T21:47:30Z",
      interval: "30s",
      identifier: { host: "edge-01.example.net", plugin: "interface", plugin_instance: "eth0", type: "if_octets" },
      ds_names: ["rx", "tx"],
    });
    expect(all.map(({ time, interval }) => [time.slice(14, 19), interval])).toEqual([
      ...[["47:30", "30s"] as const, ["48:00", "30s"] as const],
      ...["48:10", "48:20", "48:30", "48:40", "48:50", "49:00"].map((time) => [time, "10s"]),
    ]);
  });

  test("does not follow links", async () => {
    const world = folderWith(["h/load/load.rrd", "../outside/cpu-0/cpu-idle.rrd"]);
    symlinkSync("../../outside", join(world.cwd, "rrd/h/linked"));
    symlinkSync("..", join(world.cwd, "rrd/h/loop"));
    symlinkSync("../../../outside/cpu-0/cpu-idle.rrd", join(world.cwd, "rrd/h/load/link.rrd"));
    const { code, stderr } = await tongsBytes(["metrics", "import", "--rrd", "rrd", "-o", "a.bin"], world);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Imported 8 readings from 1 of 1 files")]);
  });

  test("imports the other files if one cannot be read, and exits with 11", async () => {
    const world = folderWith(["h/load/load.rrd", "stray.rrd"], ["h/cpu-0/cpu-idle.rrd"]);
    const { code, stdout, stderr } = await tongsBytes(["metrics", "import", "--rrd", "rrd"], world);
    expect(code).toBe(11);
    expect(stderr).toMatch(/cpu-idle\.rrd was not imported: '.*' is not an RRD file/);
    expect(stderr).toContain("stray.rrd was not imported: not HOST/PLUGIN/TYPE.rrd");
    expect(stderr).toContain("Imported 8 readings from 1 of 3 files");
    const decoded = await tongsBytes(["metrics", "decode"], { stdin: stdout });
    expect(records(decoded.stdout)).toHaveLength(8);
  });

  test("says that rrdtool, the directory or its files are missing", async () => {
    const { cwd } = folderWith(["h/load/load.rrd"]);
    mkdirSync(join(cwd, "empty"));
    const importFrom = (folder: string) =>
      tongsBytes(["metrics", "import", "--rrd", folder], { cwd, env: { PATH: join(cwd, "empty") } });
    expect(await importFrom("rrd")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Could not find rrdtool"),
    });
    expect(await importFrom("gone")).toMatchObject({ code: 5, stderr: expect.stringContaining("No such directory") });
    expect(await importFrom("empty")).toMatchObject({ code: 5, stderr: expect.stringContaining("No RRD files below") });
    expect((await tongsBytes(["metrics", "import"], { cwd })).code).toBe(2);
  });
});
