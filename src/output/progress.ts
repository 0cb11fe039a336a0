import type { System } from "../system/system.ts";
import type { Output } from "./output.ts";

/** A count that goes up while a command works. */
export interface Counter {
  step(): void;
  /** Takes the line away again. */
  end(): void;
}

const everyMilliseconds = 100;
const calmMilliseconds = 10_000;

/** Shows `label 350 of 1000` on stderr: one line redrawn on a terminal, a calm line now and then elsewhere. */
export function counter(
  label: string,
  total: number,
  {
    system,
    out,
    quiet,
  }: {
    readonly system: System;
    readonly out: Output;
    readonly quiet: boolean;
  },
): Counter {
  const terminal = system.stderr.isTTY === true;
  let count = 0;
  let shown = system.now().getTime();
  const text = () => `${label} ${count} of ${total}`;
  return {
    step() {
      count += 1;
      const now = system.now().getTime();
      if (quiet || now - shown < (terminal ? everyMilliseconds : calmMilliseconds)) return;
      shown = now;
      if (terminal) system.stderr.write(`\r\u001b[K${text()}`);
      else out.note(text());
    },
    end() {
      if (terminal && !quiet) system.stderr.write("\r\u001b[K");
    },
  };
}
