import { createBlock } from "./block.ts";
import { copyText } from "./copy-text.ts";
import { writeFraction, writeText } from "./digits.ts";

/** Writes times as RFC 3339 in UTC. Readings of one second come together, so the text of the last second is kept. */
export type Clock = (view: DataView, at: number, seconds: number, nanos: number) => number;

/** A clock for seconds from 1970 to 9999. */
export function createClock(): Clock {
  const kept = createBlock(24);
  const last = new Float64Array([-1]);
  return (view, at, seconds, nanos) => {
    if (last[0] !== seconds) {
      writeText(kept.view, 0, new Date(seconds * 1000).toISOString().slice(0, 19));
      last[0] = seconds;
    }
    at = writeFraction(view, copyText(kept.view, 0, 19, view, at), nanos);
    view.setUint8(at, 0x5a);
    return at + 1;
  };
}
