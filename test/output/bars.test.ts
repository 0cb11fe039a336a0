import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bars } from "../../src/output/bars.ts";
import type { Output } from "../../src/output/output.ts";
import { streamed } from "../../src/system/output-stream.ts";

type World = Parameters<typeof bars>[0];

/** A system with a clock that the test controls. */
function world(terminal: boolean, columns = 100) {
  let time = 0;
  let written = "";
  const notes: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const stderr = streamed(Object.assign(stream, { isTTY: terminal, columns, rows: 40 }));
  const out = {
    note: (text: string) => notes.push(text),
    notePalette: (_style: string, text: string) => text,
    printAbove: () => {},
  };
  const settings = {
    system: { stderr, env: {}, now: () => new Date(time) } as unknown as World["system"],
    out: out as unknown as Output,
    quiet: false,
  };
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return { settings, notes, wait, written: () => written };
}

const mebi = 1024 * 1024;

describe("the progress of downloads", () => {
  it("is a bar with bytes, rate and time left on a terminal", async () => {
    const { settings, wait, written } = world(true);
    const bar = (await bars(settings)).add("firmware");
    bar.at(0, 100 * mebi);
    wait(2000);
    bar.at(25 * mebi, 100 * mebi);
    expect(written()).toContain("firmware  ");
    expect(written()).toContain("█████░░░░░░░░░░░░░░░  25 MiB of 100 MiB (25 %)  13 MiB/s  6 s left");
  });

  it("shows the rate of this run only when a download is resumed", async () => {
    const { settings, wait, written } = world(true);
    const bar = (await bars(settings)).add("firmware");
    bar.at(90 * mebi, 100 * mebi);
    wait(1000);
    bar.at(91 * mebi, 100 * mebi);
    expect(written()).toContain("1.0 MiB/s  9 s left");
  });

  it("never fills the terminal's width, however narrow it is", async () => {
    for (const columns of [20, 40, 60, 80, 200]) {
      const { settings, wait, written } = world(true, columns);
      const bar = (await bars(settings)).add("an artifact with quite a long name, longer than most terminals are wide");
      bar.at(0, 3 * 1024 * mebi);
      wait(700);
      bar.at(mebi, 3 * 1024 * mebi);
      for (const line of written().split("\n")) {
        expect([...line.replace(/\u001b\[[?\d]*[A-Za-z]|\r/g, "")].length).toBeLessThan(columns);
      }
    }
  });

  it("is a note every ten seconds without a terminal", async () => {
    const { settings, notes, wait, written } = world(false);
    const bar = (await bars(settings)).add("firmware");
    for (let second = 0; second < 25; second += 1) {
      bar.at(second * mebi, 100 * mebi);
      wait(1000);
    }
    expect(written()).toBe("");
    expect(notes).toEqual(["firmware: 10 MiB of 100 MiB (10 %)", "firmware: 20 MiB of 100 MiB (20 %)"]);
  });
});
