import { StringDecoder } from "node:string_decoder";
import type { System } from "../system/system.ts";
import { safe } from "../text/safe.ts";
import type { Output } from "./output.ts";
import { paged } from "./pager.ts";

interface Screen {
  readonly system: System;
  readonly out: Output;
}

/**
 * Shows text from elsewhere line by line as it arrives, each line painted. On a terminal it is made safe and goes
 * through the pager; in a pipe, where colours were asked for, its bytes stay as they are between them.
 */
export async function showLines(
  pieces: AsyncIterable<Buffer>,
  paint: (line: string) => string,
  { system, out }: Screen,
): Promise<void> {
  if (out.terminal) {
    const shown = (line: string) => paint(safe(line.replace(/\r$/, "")));
    await paged(system, async (write) => {
      for await (const block of painted(pieces, "utf8", shown)) if (!(await write(block))) return;
    });
    return;
  }
  for await (const block of painted(pieces, "latin1", paint)) await out.raw(Buffer.from(block, "latin1"));
}

/** Blocks of whole painted lines; what follows the last line end comes last. */
async function* painted(
  pieces: AsyncIterable<Buffer>,
  encoding: "utf8" | "latin1",
  paint: (line: string) => string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder(encoding);
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(piece)).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines.map((line) => `${paint(line)}\n`).join("");
  }
  rest += decoder.end();
  if (rest !== "") yield paint(rest);
}
