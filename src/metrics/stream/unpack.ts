import { gunzipSync } from "node:zlib";
import { slack } from "../fast/block.ts";
import { longestMessage } from "../framing/framing.ts";
import { WireFault } from "../wire/fault.ts";

/** Undoes the gzip of a gRPC message, with room behind it for the fast way. Throws a `WireFault`. */
export function unpack(packed: Uint8Array): Uint8Array {
  let plain: Uint8Array;
  try {
    plain = gunzipSync(packed, { maxOutputLength: longestMessage });
  } catch (error) {
    throw new WireFault(
      0,
      `the message is flagged as compressed and is not gzip that unpacks (${(error as Error).message})`,
    );
  }
  const padded = new Uint8Array(plain.length + slack);
  padded.set(plain);
  return padded;
}
