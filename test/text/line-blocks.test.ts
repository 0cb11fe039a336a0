import { expect, it } from "vitest";
import { type LineBlock, lineBlocks } from "../../src/text/line-blocks.ts";

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function blocksOf(...texts: string[]): Promise<LineBlock[]> {
  const found: LineBlock[] = [];
  for await (const block of lineBlocks(pieces(...texts), "utf8")) found.push(block);
  return found;
}

it("lines are joined across pieces, and the last one may have no end", async () => {
  expect(await blocksOf("a\nb", "c", "\n\nd")).toEqual([
    { lines: ["a"], isOpen: false },
    { lines: ["bc", ""], isOpen: false },
    { lines: ["d"], isOpen: true },
  ]);
  expect(await blocksOf("a\n")).toEqual([{ lines: ["a"], isOpen: false }]);
  expect(await blocksOf()).toEqual([]);
});

it("a line of more than 16 MiB comes in parts, so that it need not fit into memory", async () => {
  const part = "x".repeat(9 * 1024 * 1024);
  const blocks = await blocksOf(part, part, part, part, "\nend\n");
  expect(blocks.map(({ lines, isOpen }) => [lines.map((line) => line.length), isOpen])).toEqual([
    [[2 * part.length], true],
    [[2 * part.length], true],
    [[0, 3], false],
  ]);
});
