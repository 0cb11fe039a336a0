import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { drawingStream } from "../../src/system/drawing-stream.ts";
import { streamed } from "../../src/system/output-stream.ts";
import { Styled } from "../../src/text/styled.ts";
import { hostile, rawCodes } from "../support/raw-codes.ts";

function output(isTTY: boolean) {
  const stream = new PassThrough();
  return {
    out: streamed(Object.assign(stream, { isTTY, columns: 72 })),
    written: () => Buffer.from(stream.read() ?? ""),
  };
}

const green = Styled.painted("ok", (text) => `\u001b[32m${text}\u001b[39m`);

describe("a terminal", () => {
  it("gets pictures for whatever is not text, from strings and from bytes", () => {
    const { out, written } = output(true);
    out.write(`string ${hostile}\n`);
    out.write(Buffer.from(`bytes ${hostile}\n`));
    out.write(green);
    const text = written().toString("utf8");
    expect(rawCodes(text)).toEqual([]);
    expect(text).toMatch(/^string \u241b.*\nbytes \u241b.*\n\u001b\[32mok\u001b\[39m$/);
  });

  it("gets characters whole whose bytes come in pieces", () => {
    const { out, written } = output(true);
    for (const byte of Buffer.from("霧\u009b🚢")) out.write(Uint8Array.of(byte));
    out.write(Uint8Array.of(0xe9));
    out.write("end");
    expect(written().toString("utf8")).toBe("霧\ufffd🚢\ufffdend");
  });
});

describe("a pipe", () => {
  it("gets the bytes as they are", () => {
    const { out, written } = output(false);
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    out.write(bytes);
    out.write(hostile);
    out.write(green);
    expect(written()).toEqual(Buffer.concat([bytes, Buffer.from(`${hostile}\u001b[32mok\u001b[39m`)]));
  });
});

describe("the stream for libraries that draw", () => {
  it("passes codes for style, cursor and erasing, and shows all else as pictures", () => {
    const { out, written } = output(true);
    const drawing = drawingStream(out);
    const codes = "\u001b[?25l\u001b[2K\u001b[1A\u001b[G\u001b[32m? \u001b[39m\u001b[10D\u001b[?2026h\r\n";
    drawing.write(`${codes}\u001b]52;c;eA==\u0007\u009b2J\u202e\u001b[?1049h\u001bc`);
    expect(written().toString("utf8")).toBe(`${codes}\u241b]52;c;eA==\u2407\ufffd2J\ufffd\u241b[?1049h\u241bc`);
  });

  it("takes a code in pieces, and keeps its place among other output", () => {
    const { out, written } = output(true);
    const drawing = drawingStream(out);
    for (const piece of ["a\u001b", "[3", "2mb"]) drawing.write(piece);
    out.write("c");
    drawing.write("d");
    expect(written().toString("utf8")).toBe("a\u001b[32mbcd");
    expect(drawing).toMatchObject({ isTTY: true, columns: 72 });
  });
});
