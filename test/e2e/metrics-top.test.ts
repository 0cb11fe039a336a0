import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { delimited, readingWith } from "../metrics/forward/readings.ts";
import { redraws } from "../support/screen.ts";
import { emptyFolder } from "./built.ts";
import { screenOf } from "./last-screen.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

const hosts = 100;
const series = 5000;

/** A round of readings of 5000 series: counters, with the greatest rate on the last host. */
function round(number: number, seconds: number): Buffer {
  return delimited(
    Array.from({ length: series }, (_, index) => {
      const host = `edge-${String(index % hosts).padStart(2, "0")}.example.net`;
      const type_instance = `queue-${Math.floor(index / hosts)}`;
      const identifier = { host, plugin: "interface", plugin_instance: "eth0", type: "if_packets", type_instance };
      return readingWith({ derive: BigInt(number * (index + 1)) * 10n }, seconds, identifier);
    }),
  );
}

describe(`metrics top on a terminal${missing}`, { skip: missing !== "" }, () => {
  it("redraws 5000 series in place, fits the terminal when it is resized, and leaves it as it was on Ctrl-C", async () => {
    const cwd = emptyFolder();
    const file = join(cwd, "r.bin");
    const start = Math.floor(Date.now() / 1000) - 60;
    writeFileSync(file, Buffer.concat([round(0, start), round(1, start + 10)]));
    const terminal = await onTerminal(["metrics", "top", "r.bin", "--interval", "0.1"], { cwd, columns: 80 });
    await terminal.until("5000 series of 100 hosts · r.bin");
    const fits = async (columns: number, rows: number, number: number) => {
      terminal.resize(columns, rows);
      const before = terminal.written().length;
      appendFileSync(file, round(number, start + 10 * number));
      for (;;) {
        const frames = redraws(terminal.written().slice(before)).slice(1);
        const shown = frames.map((frame) => screenOf(frame).split("\n"));
        const whole = shown.find((lines) => lines.length === rows - 1 && lines[0]?.startsWith("HOST"));
        if (whole !== undefined) return whole;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    for (const [columns, rows, number] of [
      [50, 12, 2],
      [120, 40, 3],
      [80, 24, 4],
    ] as const) {
      const whole = await fits(columns, rows, number);
      expect(whole[0]).toMatch(columns === 50 ? /^HOST +SERIES +RATE$/ : /^HOST +SERIES +RATE +VALUE/);
      for (const line of whole) expect(line.length, line).toBeLessThan(columns);
      expect(whole.at(-1)).toContain("5000 series of 100 hosts");
    }
    renameSync(file, join(cwd, "r.20261122T060000Z.bin"));
    await terminal.until("r.bin is not there; waiting for it");
    writeFileSync(file, round(5, start + 50));
    terminal.type(keys.interrupt);
    expect(await terminal.ended).toBe(130);
    const written = terminal.written();
    expect(written).not.toMatch(/\u001b\[\?(?:25l|1049|1000|47)/);
    expect(written.match(/\u001b\[\?2026h/g)).toHaveLength(written.match(/\u001b\[\?2026l/g)?.length ?? 0);
    expect(screenOf(written)).toContain("Interrupted");
  });
});
