import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { live } from "../../src/output/live.ts";
import { openOutput } from "../../src/output/output.ts";
import { noColors } from "../../src/output/palette.ts";
import { streamed } from "../../src/system/output-stream.ts";
import { Styled } from "../../src/text/styled.ts";
import { screen } from "../support/screen.ts";
import { quietSignal } from "../support/tongs.ts";

/** A terminal, and the lines on its screen. */
function terminal({ columns = 40, rows = 10 } = {}) {
  let written = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  return {
    stream: streamed(Object.assign(stream, { isTTY: true, columns, rows })),
    written: () => written,
    shown: () => screen(written),
  };
}

function output(stream: ReturnType<typeof terminal>["stream"], now = () => new Date(0)) {
  const system = {
    stdin: process.stdin,
    stdout: stream,
    stderr: stream,
    env: {},
    platform: process.platform,
    cwd: ".",
    signal: quietSignal(),
    now,
    random: () => 0,
    sleep: async () => {},
  };
  const rest = { format: "text", fields: [], jq: undefined, quiet: false, limit: 30, csvFields: [] } as const;
  return openOutput({ ...rest, system, palettes: { stdout: noColors, stderr: noColors } });
}

describe("a live block", () => {
  it("is redrawn in place, also when it grows and shrinks", () => {
    const { stream, shown } = terminal();
    const block = live(stream, output(stream));
    block.draw(["build  queued", "test  queued"]);
    expect(shown()).toEqual(["build  queued", "test  queued"]);
    block.draw(["build  running", "test  queued", "lint  queued"]);
    expect(shown()).toEqual(["build  running", "test  queued", "lint  queued"]);
    block.draw(["build  passed"]);
    expect(shown()).toEqual(["build  passed"]);
    block.draw(["build  passed"], ["1 passed"]);
    block.done();
    expect(shown()).toEqual(["build  passed", "1 passed"]);
  });

  it("keeps notes, warnings and results above it", async () => {
    const { stream, shown } = terminal();
    const out = output(stream);
    const block = live(stream, out);
    block.draw(["firmware  10 %"]);
    out.note("The server is busy.");
    block.draw(["firmware  20 %"]);
    out.warn("The certificate expires today");
    await out.done("Downloaded docs", { prints: "docs" });
    block.persist("and more");
    block.draw(["firmware  30 %"]);
    const above = ["The server is busy.", "! The certificate expires today", "docs", "✓ Downloaded docs", "and more"];
    expect(shown()).toEqual([...above, "firmware  30 %"]);
    block.clear();
    expect(shown()).toEqual(above);
    out.note("The end.");
    expect(shown()).toEqual([...above, "The end."]);
  });

  it("truncates lines to the width of the terminal, counts wide characters twice and does not use the last column", () => {
    const { stream, shown } = terminal({ columns: 11 });
    const block = live(stream, output(stream));
    const green = Styled.painted("green and more", (text) => `\u001b[32m${text}\u001b[39m`);
    block.draw(["0123456789", "01234567890", "港港港港港港", green]);
    expect(shown()).toEqual(["0123456789", "012345678…", "港港港港…", "green and…"]);
  });

  it("fits the height of the terminal: the last lines are omitted, the footer is not", () => {
    const { stream, shown } = terminal({ rows: 6 });
    const block = live(stream, output(stream));
    block.draw(["1", "2", "3", "4", "5", "6", "7"], ["footer"]);
    expect(block.rows).toBe(5);
    expect(shown()).toEqual(["1", "2", "3", "… 4 more", "footer"]);
  });

  it("never hides the cursor, and writes nothing before it is drawn or when nothing changed", () => {
    const { stream, written } = terminal();
    const block = live(stream, output(stream));
    block.clear();
    expect(written()).toBe("");
    block.draw(["same"]);
    const once = written();
    block.draw(["same"]);
    expect(written()).toBe(once);
    expect(written()).not.toContain("\u001b[?25");
  });
});

describe("a warning", () => {
  it("is printed again only after a minute", () => {
    const { stream, shown } = terminal();
    let time = 0;
    const out = output(stream, () => new Date(time));
    for (time of [0, 59_000, 60_000, 61_000]) out.warn("The engine is gone");
    expect(shown()).toEqual(["! The engine is gone", "! The engine is gone"]);
  });
});
