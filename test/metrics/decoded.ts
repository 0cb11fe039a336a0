import { createDecoder } from "../../src/metrics/decode/decoder.ts";
import type { Fields } from "../../src/metrics/decode/fields.ts";
import { slack } from "../../src/metrics/wire/block.ts";

/** Creates a function that decodes a message. It throws a `WireFault` if the message is not valid. */
export function messageDecoder(lenient = false): (message: Uint8Array) => Fields {
  const { fields, read } = createDecoder({ lenient, tail: () => ({ texts: [], tag: 0 }) });
  return (message) => {
    // The bytes after the message must not affect the result.
    const padded = new Uint8Array(message.length + slack).fill(0x0a);
    padded.set(message);
    read(padded, new DataView(padded.buffer), 0, message.length);
    return fields;
  };
}
