import { Failure } from "../../failure/failure.ts";
import { type Framing, frameHead } from "../framing/framing.ts";
import type { Sink } from "../outputs.ts";
import { encodeReading, type Reading } from "../reading/codec.ts";
import { createBlock } from "../wire/block.ts";

const outputCapacity = 256 * 1024;

/** Writes readings as encoded messages. */
export function createEncodedOutput(sink: Sink, framing: Framing) {
  const out = createBlock(outputCapacity);
  let at = 0;
  let written = 0;

  function flush(): void {
    if (at > 0) sink.write(out.bytes.subarray(0, at));
    at = 0;
  }

  function put(bytes: Uint8Array): void {
    if (bytes.length > out.capacity - at) flush();
    if (bytes.length > out.capacity) sink.write(bytes);
    else {
      out.bytes.set(bytes, at);
      at += bytes.length;
    }
  }

  /** Throws a `Failure` for a second reading with raw framing. */
  function onReading(reading: Reading): void {
    if (framing === "raw" && written > 0) {
      throw new Failure("multiple_readings", "Cannot write more than one reading with raw framing", {
        hint: "Use --framing delimited.",
      });
    }
    const message = encodeReading(reading);
    put(frameHead(framing, message.length));
    put(message);
    written += 1;
  }

  return { onReading, flush, written: () => written };
}
