import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../../failure/failure.ts";
import type { Outcome } from "../../failure/outcomes.ts";
import type { Conversion } from "./convert.ts";

/** What the thread does. It stops when `stop` is not 0. */
export interface ThreadWork extends Pick<Conversion, "recording" | "target"> {
  readonly stop: Int32Array;
}

/** How it ended. */
export interface ThreadAnswer {
  readonly failed?: { readonly code: Outcome; readonly message: string };
}

/** Converts a recording as `convertRecording` does, in a thread: it takes seconds, in which this one has to receive. */
export async function convertInThread(conversion: Conversion & { readonly signal: AbortSignal }): Promise<void> {
  const { recording, target, signal } = conversion;
  const file = join(__dirname, "workers", "parquet.js");
  if (!existsSync(file)) {
    // The sources, which no thread can load.
    const { convertRecording } = await import("./convert.ts");
    await convertRecording(conversion);
    return;
  }
  const work: ThreadWork = { recording, target, stop: new Int32Array(new SharedArrayBuffer(4)) };
  // Not ended from here, because it removes what it has written.
  const interrupt = () => Atomics.store(work.stop, 0, 1);
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const worker = new Worker(file, { workerData: work, execArgv: [] });
    const [answer]: ThreadAnswer[] = await once(worker, "message");
    signal.throwIfAborted();
    if (answer?.failed !== undefined) throw new Failure(answer.failed.code, answer.failed.message);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}
