import type { OutputStream } from "../system/output-stream.ts";
import { OutputClosed, type Sink, streamSink } from "./outputs.ts";

/** A sink whose writes do not wait for the reader. */
export interface LiveSink extends Sink {
  /** How many bytes the reader has not taken. */
  readonly waiting: () => number;
}

/**
 * A sink for stdout that never blocks on a pipe, for commands that have more to do than to print. A write error, or
 * `OutputClosed`, is thrown by the next write, or where `drained` is waited for.
 */
export function liveSink(stdout: OutputStream, json: boolean): LiveSink {
  stdout.unblock?.();
  stdout.keepGoing();
  const sink = streamSink(stdout, json);
  let waiting = 0;
  let broken: NodeJS.ErrnoException | undefined;
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting > 0 && broken === undefined) {
      const before = waiting;
      broken = await stdout.flushed();
      waiting -= before;
    }
    draining = undefined;
  }

  function check(): void {
    if (broken?.code === "EPIPE" || broken?.code === "ECONNRESET") throw new OutputClosed();
    if (broken !== undefined) throw broken;
  }

  return {
    write: (bytes) => {
      check();
      waiting += bytes.length;
      sink.write(bytes);
      draining ??= drain();
    },
    drained: () => draining?.then(check),
    waiting: () => waiting,
  };
}
