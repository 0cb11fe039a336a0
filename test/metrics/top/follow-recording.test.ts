import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { followRecording } from "../../../src/metrics/top/follow-recording.ts";
import { decodeReading } from "../decode-reading.ts";
import { delimited, readingWith } from "../forward/readings.ts";

/** A recording of gauges with the values 1, 2, 3 and so on, and the values that were handled since the last look. */
function scene(wanted: Parameters<typeof followRecording>[0]["wanted"] = { timeRange: {} }) {
  const path = join(mkdtempSync(join(tmpdir(), "tongs-follow-")), "r.bin");
  let seen: number[] = [];
  const skipped: string[] = [];
  const followed = followRecording({
    path,
    name: "r.bin",
    wanted,
    handle: (bytes, _view, start, end) => {
      const [value] = decodeReading(bytes, start, end, { lenient: true }).values;
      seen.push(value?.value?.$case === "gauge" ? value.value.gauge : Number.NaN);
      return true;
    },
    onSkipped: (fault) => skipped.push(fault),
    signal: new AbortController().signal,
  });
  const poll = async () => {
    seen = [];
    const problem = await followed.poll();
    return problem === undefined ? seen : [...seen, problem];
  };
  return { path, poll, skipped, close: followed.close };
}

const readings = (...values: number[]) => delimited(values.map((gauge) => readingWith({ gauge }, gauge)));

describe("a recording that is followed", () => {
  test("is read on from where it ended, also in the middle of a reading", async () => {
    const { path, poll, close } = scene();
    writeFileSync(path, readings(1, 2));
    expect(await poll()).toEqual([1, 2]);
    expect(await poll()).toEqual([]);
    const more = readings(3, 4);
    for (let at = 0; at < more.length; at += 1) {
      appendFileSync(path, more.subarray(at, at + 1));
      const complete = at + 1 === more.length ? [4] : at + 1 === more.length / 2 ? [3] : [];
      expect(await poll(), `after ${at + 1} bytes`).toEqual(complete);
    }
    close();
  });

  test("is followed when it is rotated: the old file to its end, then the new one", async () => {
    const { path, poll, close } = scene();
    writeFileSync(path, readings(1));
    expect(await poll()).toEqual([1]);
    appendFileSync(path, readings(2));
    renameSync(path, `${path}.old`);
    // Until it is there again, what comes into the old file is read.
    expect(await poll()).toEqual([2, "r.bin is not there; waiting for it"]);
    appendFileSync(`${path}.old`, readings(3));
    writeFileSync(path, readings(4));
    expect(await poll()).toEqual([3, 4]);
    rmSync(path);
    expect(await poll()).toEqual(["r.bin is not there; waiting for it"]);
    writeFileSync(path, readings(5));
    expect(await poll()).toEqual([5]);
    close();
  });

  test("is read again from its start when it was truncated", async () => {
    const { path, poll, close } = scene();
    writeFileSync(path, readings(1, 2, 3));
    expect(await poll()).toEqual([1, 2, 3]);
    truncateSync(path, readings(1).length);
    expect(await poll()).toEqual([1]);
    appendFileSync(path, readings(4));
    expect(await poll()).toEqual([4]);
    close();
  });

  test("may have bad readings, which are skipped; after damage, another file is waited for", async () => {
    const { path, poll, skipped, close } = scene();
    writeFileSync(path, Buffer.concat([readings(1), Buffer.from("020a05", "hex"), readings(2)]));
    expect(await poll()).toEqual([1, 2]);
    expect(skipped).toEqual([expect.stringContaining("r.bin: ")]);
    appendFileSync(path, Buffer.concat([Buffer.alloc(11, 0xff), readings(3)]));
    expect(await poll()).toEqual([expect.stringMatching(/^r\.bin: .*; waiting for another file$/)]);
    appendFileSync(path, readings(4));
    expect(await poll()).toEqual([expect.stringContaining("waiting for another file")]);
    rmSync(path);
    writeFileSync(path, readings(5));
    expect(await poll()).toEqual([5]);
    close();
  });
});
