import type { OutputStream } from "../system/output-stream.ts";
import { OutputClosed, type Sink, streamSink } from "./outputs.ts";

/** A sink whose writes do not wait for the reader. */
export interface LiveSink extends Sink {
  /** How many bytes the reader has not taken. */
  readonly waiting: () => number;
}

/** Never blocks on a pipe. A write error is thrown by the next write, or where `drained` is waited for. */
function liveSink(stdout: OutputStream, json: boolean): LiveSink {
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

/**
 * Runs `work` with a sink for stdout that does not wait for its reader, for commands that have more to do than to print.
 * Returns quietly if the reader closes it.
 */
export async function withLiveSink(
  system: { readonly stdout: OutputStream },
  work: (sink: LiveSink) => Promise<void>,
  { json }: { readonly json: boolean },
): Promise<void> {
  try {
    await work(liveSink(system.stdout, json));
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}
