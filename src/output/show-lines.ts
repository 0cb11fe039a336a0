import type { System } from "../system/system.ts";
import { lineBlocks } from "../text/line-blocks.ts";
import { Styled } from "../text/styled.ts";
import type { Output } from "./output.ts";
import { paged } from "./pager.ts";

interface Screen {
  readonly system: System;
  readonly out: Output;
}

/**
 * Prints untrusted text line by line as it arrives, colored by `paint`. On a terminal, control characters are replaced and
 * the pager is used; in a pipe, the bytes between the colors are unchanged.
 */
export async function showLines(
  pieces: AsyncIterable<Buffer>,
  paint: (line: string) => Styled,
  { system, out }: Screen,
): Promise<void> {
  if (out.terminal) {
    const shown = (line: string) => paint(line.replace(/\r$/, ""));
    await paged(system, async (write) => {
      for await (const block of painted(pieces, "utf8", shown)) if (!(await write(block))) return;
    });
    return;
  }
  for await (const block of painted(pieces, "latin1", paint)) await out.raw(Buffer.from(block.piped, "latin1"));
}

/** Blocks of painted lines; the text after the last line break comes last. */
async function* painted(
  pieces: AsyncIterable<Buffer>,
  encoding: "utf8" | "latin1",
  paint: (line: string) => Styled,
): AsyncGenerator<Styled, void, undefined> {
  for await (const { lines, isOpen } of lineBlocks(pieces, encoding)) {
    const shown = lines.map(paint);
    yield Styled.join(isOpen ? shown : [...shown, ""], "\n");
  }
}
