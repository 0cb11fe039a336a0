import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { fdSink, ReaderGone, type Sink, streamSink } from "./stream/sink.ts";

/** Runs `work` with the sink that `-o FILE` names, or stdout. When the reader of stdout leaves (`| head`), so do we. */
export async function withSink(
  { stdout, cwd }: System,
  file: string | undefined,
  work: (sink: Sink) => Promise<void>,
): Promise<void> {
  if (file === undefined || file === "-") {
    try {
      const { fd } = stdout;
      await work(fd !== undefined && stdout.isTTY !== true ? fdSink(fd) : streamSink(stdout.stream()));
    } catch (error) {
      if (!(error instanceof ReaderGone)) throw error;
    }
    return;
  }
  const fd = openForWriting(resolve(cwd, file), file);
  try {
    await work(fdSink(fd));
  } finally {
    closeSync(fd);
  }
}

function openForWriting(path: string, file: string): number {
  try {
    return openSync(path, "w");
  } catch (error) {
    const reason = (error as Error).message;
    throw new Failure("unwritable", "failure", `${file} cannot be written: ${reason}`, { cause: error });
  }
}
