import { Failure } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { answerOwn, startOwn } from "../own-process.ts";
import { removeScratch } from "../scratch.ts";
import { type Conversion, convertRecording } from "./convert.ts";

/**
 * Converts a recording as `convertRecording` does, in a process of its own: it takes seconds, in which this one has to
 * receive. Throws a `Failure` if that process ends before it has, and leaves nothing of what it wrote.
 */
export async function convertInProcess(conversion: Conversion & { readonly signal: AbortSignal }): Promise<void> {
  const { recording, target, signal } = conversion;
  const child = startOwn(["__convert", recording, target], () => {});
  if (child === undefined) return convertRecording(conversion);
  signal.addEventListener("abort", child.end, { once: true });
  if (signal.aborted) child.end();
  try {
    const problem = await child.ended;
    if (problem === undefined) return;
    signal.throwIfAborted();
    throw problem instanceof Failure ? problem : new Failure("conversion", `its process ended with ${problem}`);
  } finally {
    signal.removeEventListener("abort", child.end);
    removeScratch(target);
  }
}

/** `tongs __convert RECORDING TARGET`, that process. */
export function answerConvert(
  [recording = "", target = ""]: readonly string[],
  system: Pick<System, "stdin" | "stdout">,
): Promise<number> {
  return answerOwn(system, (signal) => convertRecording({ recording, target, signal }));
}
