// Converts one recording in a worker thread: the build makes workers/parquet.js of it.
import { parentPort, workerData } from "node:worker_threads";
import { diskFailure } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { convertRecording } from "./convert.ts";
import type { ThreadAnswer, ThreadWork } from "./in-thread.ts";

const { recording, target, stop }: ThreadWork = workerData;

async function convert(): Promise<ThreadAnswer> {
  const throwIfAborted = () => {
    if (Atomics.load(stop, 0) !== 0) throw new Error("interrupted");
  };
  try {
    await convertRecording({ recording, target, signal: { throwIfAborted } });
    return {};
  } catch (thrown) {
    const error = diskFailure(thrown) ?? thrown;
    return { failed: { code: error instanceof Failure ? error.code : "internal", message: (error as Error).message } };
  }
}

void convert().then((answer) => parentPort?.postMessage(answer));
