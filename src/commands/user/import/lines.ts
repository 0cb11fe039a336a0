import { closeSync, fsyncSync, writeSync } from "node:fs";

/** Lines that go into a file together: all that one turn of the event loop brings are one write. */
export interface Lines {
  /** Fulfilled when the line is in the file; it is then not lost even if the process is killed. */
  add(line: string): Promise<void>;
  /** Writes what is waiting. Lines that come later are dropped. */
  close(): void;
}

/** Gathers lines for an open file. */
export function gatherLines(file: number): Lines {
  let waiting: string[] = [];
  let flushed: Promise<void> | undefined;
  let closed = false;

  function write(): void {
    const text = waiting.join("");
    [waiting, flushed] = [[], undefined];
    if (text !== "" && !closed) writeSync(file, text);
  }

  return {
    add(line) {
      waiting.push(line);
      if (flushed === undefined) {
        flushed = new Promise((resolve) => setImmediate(resolve)).then(write);
        // Whoever added a line hears of it, unless all has ended before.
        flushed.catch(() => undefined);
      }
      return flushed;
    },
    close() {
      write();
      closed = true;
      fsyncSync(file);
      closeSync(file);
    },
  };
}
