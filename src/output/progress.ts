import { isLineByLine } from "../system/surface.ts";
import type { System } from "../system/system.ts";
import type { Live } from "./live.ts";
import type { Output } from "./output.ts";

/** Counts the items that a command has processed. */
export interface Counter {
  step(): void;
  /** Removes the count from the terminal. */
  end(): void;
}

const redrawMilliseconds = 100;
const noteMilliseconds = 10_000;

export interface ProgressContext {
  readonly system: System;
  readonly out: Output;
  readonly quiet: boolean;
}

/**
 * The block that shows progress on stderr; undefined where it is not redrawn in place. Loads it when it is shown only:
 * log-update takes as long to load as Node takes to start.
 */
export async function progressBlock({ system, out, quiet }: ProgressContext): Promise<Live | undefined> {
  if (system.stderr.isTTY !== true || quiet || isLineByLine(system.env)) return undefined;
  const { live } = await import("./live.ts");
  return live(system.stderr, out);
}

/** Shows `label 350 of 1000` on stderr: a line redrawn in place on a terminal, elsewhere a note every ten seconds. */
export async function counter(label: string, total: number, context: ProgressContext): Promise<Counter> {
  const { system, out, quiet } = context;
  const block = await progressBlock(context);
  let count = 0;
  let shown = system.now().getTime();
  return {
    step() {
      count += 1;
      const now = system.now().getTime();
      if (quiet || now - shown < (block === undefined ? noteMilliseconds : redrawMilliseconds)) return;
      shown = now;
      const text = `${label} ${count} of ${total}`;
      if (block === undefined) out.note(text);
      else block.draw([text]);
    },
    end: () => block?.clear(),
  };
}
