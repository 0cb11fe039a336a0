import { isLineByLine } from "../system/surface.ts";
import type { System } from "../system/system.ts";
import { live } from "./live.ts";
import type { Output } from "./output.ts";

/** Counts the items that a command has processed. */
export interface Counter {
  step(): void;
  /** Removes the count from the terminal. */
  end(): void;
}

const redrawMilliseconds = 100;
const noteMilliseconds = 10_000;

/** Shows `label 350 of 1000` on stderr: a line redrawn in place on a terminal, elsewhere a note every ten seconds. */
export function counter(
  label: string,
  total: number,
  { system, out, quiet }: { readonly system: System; readonly out: Output; readonly quiet: boolean },
): Counter {
  const block =
    system.stderr.isTTY === true && !quiet && !isLineByLine(system.env) ? live(system.stderr, out) : undefined;
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
