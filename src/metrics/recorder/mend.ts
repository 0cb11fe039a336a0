import { readSync } from "node:fs";
import { readDelimited } from "../framing/framing.ts";
import type { Place } from "../index/indexer.ts";
import { createWindow, fill, type Source, type Window } from "../stream/source.ts";
import { readField, skipVarint, varintValue, WireFault } from "../wire/fields.ts";

/** What a recording holds. */
export interface Recording {
  /** The end of the last whole reading before any damage. */
  readonly end: number;
  readonly readings: number;
  /**
   * What follows: nothing; the start of a reading, or zero bytes to the end, as a crash leaves them; or damage, after
   * which there may be more readings.
   */
  readonly rest: "nothing" | "cut" | "zeros" | "damage";
}

/** Whether a message is sound; see `Indexer.add`. */
type Check = (bytes: Uint8Array, view: DataView, place: Place) => boolean;

/** Reads an open recording (readings, each preceded by its varint length) from its start to its end. */
export function inspectRecording(fd: number, isSound: Check = isWellFormed): Recording {
  const window = createWindow();
  const source: Source = { read: (into, at, room) => readSync(fd, into, at, room, window.base + at) };
  let readings = 0;
  const result = (rest: Recording["rest"]): Recording => ({ end: window.base + window.start, readings, rest });
  /** Returns false at the end of the file. */
  const more = () => {
    void fill(window, source);
    return !window.ended;
  };

  for (;;) {
    if (window.start === window.end && !more()) return result("nothing");
    const { block, base, start, end } = window;
    const { bytes, view } = block;
    if (bytes[start] === 0) return result(zerosToEnd(fd, base + start) ? "zeros" : "damage");
    const frame = readDelimited(bytes, start, end);
    if (frame.kind === "fault") return result("damage");
    if (frame.kind === "incomplete") {
      if (!more()) return result(isStartOfReading(window) ? "cut" : "damage");
    } else if (isSound(bytes, view, { frame: start, start: frame.start, end: frame.end, at: base + start })) {
      window.start = frame.next;
      readings += 1;
    } else return result("damage");
  }
}

function zerosToEnd(fd: number, from: number): boolean {
  const bytes = new Uint8Array(64 * 1024);
  for (let at = from; ; ) {
    const got = readSync(fd, bytes, 0, bytes.length, at);
    if (got === 0) return true;
    if (bytes.subarray(0, got).some((byte) => byte !== 0)) return false;
    at += got;
  }
}

/** Whether the message is made of fields. */
export function isWellFormed(bytes: Uint8Array, _view: DataView, { start, end }: Place): boolean {
  try {
    for (let at = start; at < end; ) at = readField(bytes, at, end).end;
    return true;
  } catch (error) {
    if (error instanceof WireFault) return false;
    throw error;
  }
}

// The tags of the fields of a reading, which all have a length.
const tags = new Set([0x0a, 0x12, 0x1a, 0x22, 0x2a, 0x32]);

/** Whether the bytes, which end before the length says, are the start of a reading rather than damage. */
function isStartOfReading({ block: { bytes }, start, end }: Window): boolean {
  try {
    for (let at = skipVarint(bytes, start, end); at < end; ) {
      if (!tags.has(bytes[at] ?? 0)) return false;
      const content = skipVarint(bytes, at + 1, end);
      at = content + varintValue(bytes, at + 1, content);
    }
    return true;
  } catch (error) {
    // The bytes end in the middle of a length.
    if (error instanceof WireFault) return end - start < 10 || error.message.includes("middle");
    throw error;
  }
}
